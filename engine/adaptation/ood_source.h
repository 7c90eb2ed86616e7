// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>

#include "engine/adaptation/ood_draws.h"
#include "engine/data/augment.h"
#include "engine/data/picture_reader.h"

namespace palimpsest {

/// Out-of-distribution batches, read ahead and transformed: the training transform with AutoAugment, if there is a
/// policy, applied twice (MISA, methods/fam.py). Every random draw depends on the batch, so neither threads nor reading
/// ahead change a number.
class OtherSource {
public:
    struct Batch {
        Tensor images;  ///< float32 [B, 3, H, W] on the run's device
        std::vector<std::int64_t> samples;
        std::vector<std::int64_t> classes;  ///< their classes, as indices among all classes
        std::vector<std::int64_t> places;   ///< and among the drawn ones
    };
    OtherSource(std::shared_ptr<const ImageTable> table, OtherDraws draws, const PictureSettings& pictures,
                Augment augment);

    /// The next batch, without unreadable images. Throws Error(Run) if no image of a whole draw is readable.
    Batch next();
    /// Position after the batch that next() returned last.
    const OtherDraws::Position& position() const { return position_; }
    void restore(const OtherDraws::Position& position);
    UnreadableImages& unreadable() { return unreadable_; }

private:
    struct Coming {
        OtherDraws::Batch batch;
        OtherDraws::Position after;
        std::unique_ptr<PictureReader::Reading> reading;
    };
    void readAhead();

    PictureSettings pictures_;
    Augment augment_;
    OtherDraws draws_;
    OtherDraws::Position position_;
    PictureReader reader_;
    UnreadableImages unreadable_;
    std::deque<Coming> coming_;
};

}  // namespace palimpsest
