// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>
#include <opencv2/core.hpp>

#include "app/cli/output.h"
#include "app/commands/dataset_verbs.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/dataset_files.h"
#include "datasets/table/image_dataset.h"
#include "engine/support/error.h"
#include "engine/support/evenly_spread.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

using State = DatasetFileStatus::State;

constexpr std::int64_t kMostDecoded = 2000;  // of each part
constexpr std::size_t kMostNamed = 20;

struct CheckArguments : DatasetArguments {
    bool quick = false;
};

/// Result of decoding the images of a data set.
struct PictureCheck {
    std::int64_t decoded = 0;
    std::vector<std::string> unreadable;  ///< by name, training images first
    std::string fault;                    ///< reason why a run needs some of them, a sentence; empty when it does not
};

/// One part of a data set.
class PictureReading {
public:
    PictureReading(const ImageTable& table, std::size_t classes, PictureCheck& found)
        : table_(table), readable_(classes), tried_(classes), found_(found) {}

    void read(std::int64_t most) {
        const std::int64_t size = table_.size();
        std::vector<bool> seen(static_cast<std::size_t>(size));
        const auto tryImage = [&](std::int64_t index) {
            seen[static_cast<std::size_t>(index)] = true;
            readOne(index);
        };
        for (const std::int64_t place : evenlySpread(size, most)) tryImage(place);
        for (std::int64_t i = 0; i < size; ++i) {
            const std::size_t c = classOf(i);
            if (!seen[static_cast<std::size_t>(i)] && tried_[c] && !readable_[c]) tryImage(i);
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

/// Decodes images spread evenly over both parts, at most `most` of each; 0: all. If none of a class is readable, the
/// rest of that class is tried as well: a run leaves unreadable images out, but needs at least one of each class to
/// learn from and at least one to test with.
PictureCheck checkPictures(const ImageDataset& data, std::int64_t most) {
    PictureCheck found;
    PictureReading train(*data.train, data.class_names.size(), found);
    train.read(most);
    PictureReading test(*data.test, data.class_names.size(), found);
    test.read(most);
    if (const std::int64_t lost = train.lostClass(); lost >= 0)
        found.fault = "None of the training images of the class " + data.class_names[static_cast<std::size_t>(lost)] +
                      " in " + data.title + " can be read.";
    else if (test.allLost())
        found.fault = "None of the test images in " + data.title + " can be read.";
    return found;
}

void checkLabels(const std::string& title, std::span<const std::int32_t> labels, std::size_t classes) {
    for (const std::int32_t label : labels) {
        if (label >= 0 && static_cast<std::size_t>(label) < classes) continue;
        throw inputError(
            title + " has a label " + std::to_string(label) + ", but only " + std::to_string(classes) + " classes.",
            "Get the files again.");
    }
}

const char* wordOf(State state) {
    switch (state) {
        case State::Missing:
            return "missing";
        case State::Partial:
            return "partial";
        case State::WrongSize:
            return "wrong size";
        case State::WrongChecksum:
            return "wrong checksum";
        case State::NotUnpacked:
            return "not unpacked";
        case State::Present:
            break;
    }
    return "present";
}

/// Checks sizes and checksums. Certain faults are errors; files that the loader may not need, or may find elsewhere,
/// are notes.
Json checkFiles(const CheckArguments& given) {
    Json files = Json::array();
    const DatasetStatus status = datasetStatus(given.name, given.root, !given.quick);
    for (const DatasetFileStatus& file : status.files) {
        if (file.state == State::WrongChecksum && !status.complete) throw inputError(file.detail);
        const bool note = file.state != State::Present && file.state != State::Missing;
        if (note && !given.json) std::cout << "Note: " << file.detail << "\n";
        files.push_back({{"file", file.file}, {"state", wordOf(file.state)}, {"detail", file.detail}});
    }
    return files;
}

/// The first names, and the number of the others.
std::vector<std::string> named(const PictureCheck& pictures) {
    const std::size_t count = std::min(pictures.unreadable.size(), kMostNamed);
    return {pictures.unreadable.begin(), pictures.unreadable.begin() + static_cast<std::ptrdiff_t>(count)};
}

void printUnreadable(const PictureCheck& pictures) {
    if (pictures.unreadable.empty()) return;
    std::cout << "Note: " << counted(std::ssize(pictures.unreadable), "image", "images")
              << " cannot be read; a run leaves out what it cannot read:\n";
    for (const std::string& name : named(pictures)) std::cout << "  " << name << "\n";
    if (pictures.unreadable.size() > kMostNamed)
        std::cout << "  and " << grouped(static_cast<std::int64_t>(pictures.unreadable.size() - kMostNamed))
                  << " more\n";
}

void printCheck(const CheckArguments& given, const std::string& title, std::size_t classes, std::int64_t train,
                std::int64_t test, const PictureCheck& pictures, const Json& files) {
    const DatasetInfo& info = catalogueEntry(given.name);
    if (given.json) {
        printLine({{"name", given.name},
                   {"ok", true},
                   {"classes", classes},
                   {"train", train},
                   {"test", test},
                   {"expected_train", info.train},
                   {"expected_test", info.test},
                   {"decoded", pictures.decoded},
                   {"unreadable", pictures.unreadable.size()},
                   {"unreadable_images", named(pictures)},
                   {"files", files}});
        return;
    }
    const std::string note = numbersNote(info, train, test);
    if (!note.empty()) std::cout << "Note: " << note << "\n";
    printUnreadable(pictures);
    std::cout << "ok: " << title << ", " << classes << " classes, " << grouped(train) << " training and "
              << grouped(test) << " test images; every label is valid";
    if (!given.quick) std::cout << ", " << grouped(pictures.decoded) << " images were decoded";
    std::cout << "\n";
}

int check(const CheckArguments& given) {
    const Json files = checkFiles(given);
    if (given.quick) {
        const LabelsOnly labels = openLabels(given.request());
        const std::size_t classes = labels.class_names.size();
        for (const auto* part : {&labels.train, &labels.test}) checkLabels(labels.title, *part, classes);
        printCheck(given, labels.title, classes, std::ssize(labels.train), std::ssize(labels.test), {}, files);
        return 0;
    }
    const ImageDataset data = openDataset(given.request());
    const std::size_t classes = data.class_names.size();
    for (const auto* table : {data.train.get(), data.test.get()}) checkLabels(data.title, table->labels(), classes);
    // The user's own images have never been checked, so all of them are decoded.
    const PictureCheck pictures = checkPictures(data, given.name == "folder" ? 0 : kMostDecoded);
    if (!pictures.fault.empty()) {
        if (!given.json) printUnreadable(pictures);
        throw inputError(pictures.fault, "Get the files again.");
    }
    printCheck(given, data.title, classes, data.train->size(), data.test->size(), pictures, files);
    return 0;
}

}  // namespace

void addDatasetCheck(CLI::App& command, Shell& shell) {
    auto given = std::make_shared<CheckArguments>();
    CLI::App* verb = command.add_subcommand("check", "Read everything and say whether it is sound");
    given->addTo(*verb)->required();
    verb->add_flag("--quick", given->quick, "Look at sizes and labels only: no checksums, no images");
    shell.onChosen(*verb, [given] { return withRootOption([&] { return check(*given); }); });
}

}  // namespace palimpsest
