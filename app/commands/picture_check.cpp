// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/picture_check.h"

#include <algorithm>
#include <opencv2/core.hpp>

#include "engine/support/error.h"

namespace palimpsest {

namespace {

/// One part of a data set.
class Part {
public:
    Part(const ImageTable& table, std::size_t classes, PictureCheck& found)
        : table_(table), readable_(classes), tried_(classes), found_(found) {}

    void read(std::int64_t most) {
        const std::int64_t size = table_.size();
        const std::int64_t count = most > 0 ? std::min(size, most) : size;
        std::vector<bool> seen(static_cast<std::size_t>(size));
        const auto look = [&](std::int64_t index) {
            seen[static_cast<std::size_t>(index)] = true;
            readOne(index);
        };
        for (std::int64_t i = 0; i < count; ++i) look(i * size / count);
        for (std::int64_t i = 0; i < size; ++i) {
            const std::size_t c = classOf(i);
            if (!seen[static_cast<std::size_t>(i)] && tried_[c] && !readable_[c]) look(i);
        }
    }

    /// First class without any readable image; -1: there is none.
    std::int64_t lostClass() const {
        for (std::size_t c = 0; c < tried_.size(); ++c)
            if (tried_[c] && !readable_[c]) return static_cast<std::int64_t>(c);
        return -1;
    }
    bool allLost() const { return table_.size() > 0 && std::ranges::count(readable_, true) == 0; }

private:
    std::size_t classOf(std::int64_t index) const {
        return static_cast<std::size_t>(table_.labels()[static_cast<std::size_t>(index)]);
    }

    void readOne(std::int64_t index) {
        const std::size_t c = classOf(index);
        tried_[c] = true;
        if (isReadable(index)) {
            ++found_.decoded;
            readable_[c] = true;
        } else {
            found_.unreadable.push_back(table_.name(index));
        }
    }

    bool isReadable(std::int64_t index) const {
        try {
            return !table_.image(index).empty();
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::Input) throw;
        } catch (const cv::Exception&) {
            // Any other exception also means an unreadable image.
        }
        return false;
    }

    const ImageTable& table_;
    std::vector<bool> readable_, tried_;  // by class: at least one image
    PictureCheck& found_;
};

}  // namespace

PictureCheck checkPictures(const ImageDataset& data, std::int64_t most) {
    PictureCheck found;
    Part train(*data.train, data.class_names.size(), found);
    train.read(most);
    Part test(*data.test, data.class_names.size(), found);
    test.read(most);
    if (const std::int64_t lost = train.lostClass(); lost >= 0)
        found.fault = "None of the training images of the class " + data.class_names[static_cast<std::size_t>(lost)] +
                      " in " + data.title + " can be read.";
    else if (test.allLost())
        found.fault = "None of the test images in " + data.title + " can be read.";
    return found;
}

}  // namespace palimpsest
