// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/data/image_rooms.h"
#include "engine/data/picture_reader.h"
#include "engine/data/sources.h"

namespace palimpsest {

/// Test images with the test transform. Pictures that are not in a cache on the disk are kept in memory if all of them
/// fit; each gets one random crop a run, if LoadShape::ShortSideCrop asks for one. Used on the run's thread alone.
class TestImages : public TestSource {
public:
    struct Settings : PictureSettings {
        std::int64_t memory = kPicturesRoom;  ///< largest size of the pictures in memory, bytes
    };
    TestImages(std::shared_ptr<const ImageTable> table, const Settings& settings);

    std::span<const std::int32_t> labels() const override { return table_->labels(); }
    void expect(std::span<const std::int64_t> samples) override;
    ShownImages images(std::span<const std::int64_t> samples) override;

    UnreadableImages& unreadable() { return unreadable_; }

private:
    /// Samples that must be read: not known to be unreadable, and not in memory.
    std::vector<std::int64_t> missing(std::span<const std::int64_t> samples) const;
    PictureReader::Pictures read(const std::vector<std::int64_t>& samples);

    std::shared_ptr<const ImageTable> table_;
    Settings settings_;
    PictureReader reader_;
    UnreadableImages unreadable_;
    std::unique_ptr<PictureReader::Reading> ahead_;
    std::vector<bool> tried_;
    Tensor kept_;              // [N, 3, S, S] bytes, or undefined
    std::vector<bool> known_;  // filled rows of kept_
};

}  // namespace palimpsest
