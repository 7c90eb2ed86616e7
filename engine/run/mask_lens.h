// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/choices.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// The next batch through one logit mask.
struct MaskView {
    MaskKind mask = MaskKind::None;
    double loss = 0;      ///< mean cross-entropy over the images, with the natural logarithm
    double accuracy = 0;  ///< 0..1, the share of the images for which no class that the mask lets through scores higher
    /// Sum over the images of y - p, what a step against the gradient does to the logit of each class; of the classes
    /// that have come, those of this batch included, in order of first appearance. Absent: the mask hides it.
    std::vector<ClassPush> pushes;
    std::int64_t unnamed = 0;  ///< outputs that no class has taken yet and that the mask lets through
    double unnamed_push = 0;   ///< push on all of these together
};

/// Test images of classes that have come, an even sample of them, and how many are answered rightly.
struct LensInference {
    std::int64_t images = 0;
    std::int64_t all = 0;               ///< test images of these classes, which the curves count; 0: not known
    std::int64_t right = 0;             ///< where all outputs may answer
    std::int64_t right_among_seen = 0;  ///< where only those of classes that have come may
};

/// One set of weights seen through every mask: what the first update on the next batch would do. All masks are compared
/// by the plain softmax cross-entropy, whatever loss the method has besides.
struct MaskLens {
    std::int64_t samples_seen = 0;         ///< of the checkpoint that was looked at
    std::int64_t session = 0;              ///< of the next batch, from 0
    std::int64_t images = 0;               ///< of the stream, in the update
    std::int64_t replayed = 0;             ///< past images beside them, or in place of them
    std::int64_t classes_seen = 0;         ///< before the batch
    std::vector<std::int32_t> batch;       ///< raw labels of the classes of these images, in order of first appearance
    std::vector<std::string> class_names;  ///< by raw label
    std::optional<MaskKind> used;  ///< the mask of the run; absent: its method hides classes in a way of its own
    std::vector<MaskView> views;   ///< none, seen, batch, session
    std::optional<LensInference> inference;  ///< absent: no class has come, or none of them has test images

    /// Throws std::out_of_range where there is none.
    const MaskView& view(MaskKind mask) const;
};

/// The masks of a lens, in its order.
inline constexpr MaskKind kLensMasks[] = {MaskKind::None, MaskKind::Seen, MaskKind::Batch, MaskKind::Session};

/// Least strength of a push that counts as one: what is written as 0.1.
inline constexpr double kLeastPush = 0.05;

/// Classes outside the batch that are pushed down under a mask, by kLeastPush or more.
struct PushedOthers {
    std::int64_t classes = 0;  ///< that have come
    std::int64_t unnamed = 0;  ///< all outputs without a class, where they are pushed so far together
    double push = 0;           ///< on all of these together, 0 or less
    std::int64_t count() const { return classes + unnamed; }
};
PushedOthers pushedOthers(const MaskLens& lens, MaskKind mask);

/// What is seen at this moment, in one or two whole sentences: "Through the batch mask only the 3 classes of this batch
/// are pulled or pushed. Without a mask 7 others are pushed down, by 4.2 in all."
std::string lensSentence(const MaskLens& lens);
/// How many test images are answered rightly, in a sentence or two; empty without any. Of a sample it says that the
/// curves, which count more of them, may differ.
std::string inferenceSentence(const MaskLens& lens);

}  // namespace palimpsest
