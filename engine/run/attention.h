// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/run_events.h"

namespace palimpsest {

/// Attention of the class token in one block, the mean over heads. patches + own + prompts sum to 1.
struct BlockAttention {
    std::vector<float> patches;  ///< [side * side], row by row
    double own = 0;              ///< what the class token gives to itself
    double prompts = 0;          ///< what all prompt tokens get together
    std::int64_t prompt_tokens = 0;
};

/// How one test image is attended to by a run's network at a checkpoint.
struct ImageAttention {
    std::int64_t samples_seen = 0;         ///< of the checkpoint
    std::int64_t image = 0;                ///< place in the test set, from 0
    std::int64_t images = 0;               ///< test images in all
    std::int32_t label = 0;                ///< raw
    std::int64_t side = 0;                 ///< patches along an edge
    std::vector<std::string> class_names;  ///< by raw label
    Thumbnail picture;                     ///< what the network gets to see, before it is normalised
    std::vector<BlockAttention> without;   ///< without any prompts
    std::vector<BlockAttention> with;      ///< with those that the method takes for this image; empty: it has none
    std::vector<std::int64_t> chosen;      ///< prompts of a pool, from 0; empty without a pool
    bool learned = false;                  ///< `without` is a backbone that the method itself changes
    bool answers_from_prompts = false;     ///< the class token is not what the head sees, as in L2P
    bool hasPrompts() const { return !with.empty(); }
};

/// The block in which the prompts get most, and the strongest patch there without them, in one or two whole sentences;
/// for a method without prompts, that it has none and its strongest patch.
std::string attentionSentence(const ImageAttention& attention);
/// The same of one block, from 0; where another one gives its prompts more, it says so.
std::string attentionSentence(const ImageAttention& attention, std::size_t block);
/// The block that the first of these speaks of: where the prompts get most; without prompts the last.
std::size_t attentionBlock(const ImageAttention& attention);
/// "row 3, column 5" of the patch that gets most, counted from 1; the first of several.
std::string strongestPatch(const BlockAttention& block, std::int64_t side);

}  // namespace palimpsest
