// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace palimpsest {

/// Floats that begin at a cache line, zeros at first.
class AlignedFloats {
public:
    AlignedFloats() = default;
    explicit AlignedFloats(std::size_t count)
        : data_(static_cast<float*>(::operator new[](std::max<std::size_t>(count, 1) * sizeof(float), kLine))),
          count_(count) {
        std::fill_n(data_.get(), count, 0.0f);
    }
    float* get() const { return data_.get(); }
    std::size_t size() const { return count_; }

private:
    static constexpr std::align_val_t kLine{64};
    struct Release {
        void operator()(float* data) const { ::operator delete[](data, kLine); }
    };
    std::unique_ptr<float[], Release> data_;
    std::size_t count_ = 0;
};

}  // namespace palimpsest
