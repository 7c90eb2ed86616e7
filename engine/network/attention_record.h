// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Attention of the class token in one block: softmax(q K^T / sqrt(d)), the mean over heads (Vaswani et al., NeurIPS
/// 2017). The columns are all keys: own tokens first, then prompts that have keys and values alone.
struct RecordedAttention {
    Tensor shares;         ///< float32 [B, M + L], each row sums to 1
    std::int64_t own = 0;  ///< M, the tokens that pass through the block; the class token is the first of them
};

/// While it lives, networks on this thread keep the attention of their class tokens here: they go block by block with
/// LibTorch's operators, with the same numbers but for rounding. Where none lives, nothing is done differently. Of
/// several the innermost counts.
class AttentionRecord {
public:
    AttentionRecord() : outer_(std::exchange(innermost(), this)) {}
    ~AttentionRecord() { innermost() = outer_; }
    AttentionRecord(const AttentionRecord&) = delete;
    AttentionRecord& operator=(const AttentionRecord&) = delete;

    /// Null: nobody asks.
    static AttentionRecord* current() { return innermost(); }

    /// Passes through a network in order, each a list of its blocks so far.
    const std::vector<std::vector<RecordedAttention>>& passes() const { return passes_; }
    void beginPass() { passes_.emplace_back(); }
    void add(RecordedAttention block) {
        if (passes_.empty()) beginPass();
        passes_.back().push_back(std::move(block));
    }

private:
    static AttentionRecord*& innermost() {
        static thread_local AttentionRecord* record = nullptr;
        return record;
    }

    AttentionRecord* outer_;
    std::vector<std::vector<RecordedAttention>> passes_;
};

}  // namespace palimpsest
