// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

class StateArchive;

/// The hardest of what has been learned: entries with the largest losses, as they were shown. An entry is one image,
/// or a whole batch (Online-LoRA's code).
class HardBuffer {
public:
    struct Entry {
        Tensor images;             ///< float32 [n, 3, H, W]
        Tensor units;              ///< int64 [n]
        std::int64_t sample = -1;  ///< position of its first image in the training set; -1: not known
        double loss = 0;           ///< mean over its images, when it was measured last
    };

    explicit HardBuffer(std::int64_t capacity) : capacity_(capacity) {}

    const std::vector<Entry>& entries() const { return entries_; }
    bool empty() const { return entries_.empty(); }
    /// Entries' losses as they are now, in their order.
    void measure(const std::vector<double>& losses);
    /// Takes part in what stays: the entries with the largest losses of both, those that were there before first among
    /// equals. An image that is there already is replaced, since a batch is varied anew for each of its updates.
    void offer(std::vector<Entry> fresh);
    /// Throws Error(Input) where the state is of another form.
    void keep(StateArchive& archive);

private:
    std::int64_t capacity_;
    std::vector<Entry> entries_;
};

}  // namespace palimpsest
