// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace palimpsest {

/// One place of a memory that is taken.
struct KeptSample {
    std::int64_t sample = 0;  ///< position in the training set; -1: not known
    std::int32_t label = 0;   ///< raw
    bool operator==(const KeptSample&) const = default;
};

/// The images that a memory keeps, place by place. Copies share them, so that an event of a large memory costs no more
/// than one of a small memory wherever it is only passed on.
class KeptSamples {
public:
    KeptSamples() = default;
    KeptSamples(std::vector<KeptSample> samples)
        : samples_(std::make_shared<const std::vector<KeptSample>>(std::move(samples))) {}

    std::size_t size() const { return samples_ ? samples_->size() : 0; }
    bool empty() const { return size() == 0; }
    const KeptSample* begin() const { return samples_ ? samples_->data() : nullptr; }
    const KeptSample* end() const { return begin() + size(); }
    const KeptSample& operator[](std::size_t place) const { return (*samples_)[place]; }
    /// Copies of each other. Others may be equal all the same.
    bool shares(const KeptSamples& other) const { return samples_ == other.samples_; }

private:
    std::shared_ptr<const std::vector<KeptSample>> samples_;
};

}  // namespace palimpsest
