// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/config/method_declaration.h"

// Options of the methods with a head alone, or a head and a memory.

namespace palimpsest {

struct LwfOptions {
    double weight = 0.2;     ///< of keeping to what the network said one batch ago
    double temperature = 2;  ///< divides the logits that are compared
};

/// Random features that a regression is made of, in the analytic head and in FlyPrompt's router.
struct RandomFeatureOptions {
    std::int64_t count = 10000;  ///< 0: the features as they are
};

struct AnalyticHeadOptions {
    std::string readout = "ridge";         ///< "ridge", "ncm" or "lda"
    std::string features = "random-relu";  ///< "random-relu", "sparse", "all-blocks" or "pixels"
    std::string balance = "none";          ///< "none" or "pooled": whether classes weigh the same in the regression
    std::string ridge_choice = "fixed";    ///< "fixed", "prequential" or "gcv"
    double ridge = 1e5;                    ///< of the regression on the classes; where it is not chosen, or not yet
    std::string shrinkage = "fixed";       ///< of the covariance of "lda": "fixed" or "oas"
};

struct DerPlusPlusOptions {
    double logit_weight = 0.2;   ///< alpha
    double replay_weight = 0.5;  ///< beta
};

struct RainbowMemoryOptions {
    std::int64_t epochs = 256;         ///< passes over the memory after a session
    std::string evaluation = "after";  ///< "after" or "before" those passes
};
/// Passes of an epoch over a memory of so many images, which is not empty: as many as whole batches fit (MISA,
/// methods/rainbow_memory.py, online_after_task, whose loop over batches takes the whole memory each time).
std::int64_t rainbowPasses(std::int64_t memory, std::int64_t batch);
/// Updates after a session with so many images in the memory.
std::int64_t rainbowUpdates(std::int64_t epochs, std::int64_t memory, std::int64_t batch);

struct ClibOptions {
    std::string importance = "as-published";  ///< "as-published" (always 0) or "measured"
    double rate_step = 0.95;                  ///< ratio of the two learning rates
    std::int64_t rate_period = 10;            ///< updates at one of them
    std::int64_t rate_length = 10;            ///< periods of each that are compared
};

const SharedOptions& randomFeatureOptions();
/// A note on memory and time, where the features are many.
std::vector<std::string> randomFeatureNotes(const Experiment& experiment);
/// The note for a method whose published code means three updates for each image of a batch by its --online_iter 3.
std::vector<std::string> publishedUpdatesNotes(const Experiment& experiment);

}  // namespace palimpsest
