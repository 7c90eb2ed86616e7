// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "engine/data/augment.h"
#include "engine/data/picture_reader.h"

namespace palimpsest {

/// Order of the out-of-distribution images: a few classes are drawn without replacement, and their images come batch
/// after batch in an order that is permuted once. When these are used up, new classes are drawn with probability
/// `resample`; else the same come again in the same order (MISA, methods/fam.py). Every draw has its own generator, so
/// a position is a few counters.
class OodDraws {
public:
    struct Settings {
        std::uint64_t seed = 1;
        std::int64_t drawn = 10;  ///< classes in one draw; all if there are fewer
        std::int64_t batch_size = 128;
        double resample = 0.67;  ///< 0..1
    };
    struct Position {
        std::int64_t draw = 0;     ///< number of the current draw of classes
        std::int64_t passes = 0;   ///< completed passes over drawn classes
        std::int64_t next = 0;     ///< index in the order of the current draw
        std::int64_t batches = 0;  ///< batches returned so far
        bool operator==(const Position&) const = default;
    };
    struct Batch {
        std::int64_t number = 0;  ///< from 1
        std::vector<std::int64_t> samples;
        std::vector<std::int64_t> classes;  ///< index of each sample's class among all lists
        std::vector<std::int64_t> places;   ///< index of its class among the drawn ones, from 0
    };

    /// `samples`: one list a class; at least one list, none empty.
    OodDraws(std::vector<std::vector<std::int64_t>> samples, const Settings& settings);

    Batch next();
    const Position& position() const { return position_; }
    void restore(const Position& position);
    /// Classes of the current draw as indices of the lists, in the order drawn.
    const std::vector<std::int64_t>& drawn() const { return drawn_; }

private:
    void draw();

    std::vector<std::vector<std::int64_t>> samples_;
    Settings settings_;
    Position position_;
    std::vector<std::int64_t> drawn_;
    struct Entry {
        std::int64_t sample;
        std::int64_t place;
    };
    std::vector<Entry> order_;
};

/// Out-of-distribution batches, read ahead and transformed: the training transform with AutoAugment, if there is a
/// policy, applied twice (MISA, methods/fam.py). Every random draw depends on the batch, so neither threads nor reading
/// ahead change a number.
class OodSource {
public:
    struct Batch {
        Tensor images;  ///< float32 [B, 3, H, W] on the run's device
        std::vector<std::int64_t> samples;
        std::vector<std::int64_t> classes;  ///< their classes, as indices among all classes
        std::vector<std::int64_t> places;   ///< and among the drawn ones
    };
    OodSource(std::shared_ptr<const ImageTable> table, OodDraws draws, const PictureSettings& pictures,
              Augment augment);

    /// The next batch, without unreadable images. Throws Error(Run) if no image of a whole draw is readable.
    Batch next();
    /// Position after the batch that next() returned last.
    const OodDraws::Position& position() const { return position_; }
    void restore(const OodDraws::Position& position);
    UnreadableImages& unreadable() { return unreadable_; }

private:
    struct Coming {
        OodDraws::Batch batch;
        OodDraws::Position after;
        std::unique_ptr<PictureReader::Reading> reading;
    };
    void readAhead();

    PictureSettings pictures_;
    Augment augment_;
    OodDraws draws_;
    OodDraws::Position position_;
    PictureReader reader_;
    UnreadableImages unreadable_;
    std::deque<Coming> coming_;
};

}  // namespace palimpsest
