// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <opencv2/core.hpp>
#include <set>

#include "datasets/table/image_dataset.h"
#include "engine/support/error.h"

namespace palimpsest::testing {

/// Pictures of three alternating classes whose shade identifies their index. Some may be unreadable.
class ShadeTable : public ImageTable {
public:
    explicit ShadeTable(std::int64_t count, std::set<std::int64_t> broken = {}, std::string identity = {})
        : labels_(static_cast<std::size_t>(count)), broken_(std::move(broken)), identity_(std::move(identity)) {
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % 3);
    }
    std::int64_t size() const override { return static_cast<std::int64_t>(labels_.size()); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        if (before) before(index);
        ++read_;
        if (broken_.contains(index))
            throw inputError("The picture " + name(index) + " cannot be decoded.", "Remove it.");
        return picture(index);
    }
    std::string name(std::int64_t index) const override { return "shade " + std::to_string(index) + ".png"; }
    std::string identity() const override { return identity_; }

    /// Number of pictures read.
    std::int64_t read() const { return read_; }
    /// Called with the index before a picture is made, on the reading thread.
    std::function<void(std::int64_t)> before;

protected:
    virtual cv::Mat picture(std::int64_t index) const {
        return cv::Mat(8, 8, CV_8UC1, cv::Scalar(static_cast<double>(index % 256)));
    }

private:
    std::vector<std::int32_t> labels_;
    std::set<std::int64_t> broken_;
    std::string identity_;
    mutable std::atomic<std::int64_t> read_{0};
};

/// Coloured noise of 24 by 17 pixels, different for each index, so that resizing, cropping and mirroring are visible.
class NoiseTable : public ShadeTable {
public:
    using ShadeTable::ShadeTable;

protected:
    cv::Mat picture(std::int64_t index) const override {
        cv::Mat noise(17, 24, CV_8UC3);
        cv::RNG random(static_cast<std::uint64_t>(index) + 1);
        random.fill(noise, cv::RNG::UNIFORM, 0, 256);
        return noise;
    }
};

}  // namespace palimpsest::testing
