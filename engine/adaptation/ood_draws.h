// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace palimpsest {

/// Which out-of-distribution images come when: a few classes are drawn without replacement, and their images come in an
/// order that is permuted once, batch after batch. When these are used up, new classes are drawn with probability
/// `resample`; else the same come again in the same order (MISA, methods/fam.py). Every draw has a generator of its
/// own, so a position is a few counters.
class OtherDraws {
public:
    struct Settings {
        std::uint64_t seed = 1;
        std::int64_t drawn = 10;  ///< classes at a time; all where there are fewer
        std::int64_t batch_size = 128;
        double resample = 0.67;  ///< 0..1
    };
    struct Position {
        std::int64_t draw = 0;     ///< the draw of classes that is in use
        std::int64_t passes = 0;   ///< passes over drawn classes that are complete
        std::int64_t next = 0;     ///< in the order of the present draw
        std::int64_t batches = 0;  ///< given so far
        bool operator==(const Position&) const = default;
    };
    struct Batch {
        std::int64_t number = 0;  ///< from 1
        std::vector<std::int64_t> samples;
        std::vector<std::int64_t> classes;  ///< of each sample: the place of its list among all
        std::vector<std::int64_t> places;   ///< and that of its class among the drawn ones, from 0
    };

    /// `samples`: a list a class, none of them empty; at least one.
    OtherDraws(std::vector<std::vector<std::int64_t>> samples, const Settings& settings);

    Batch next();
    const Position& position() const { return position_; }
    void restore(const Position& position);
    /// The classes of the present draw as positions in the lists, in the order drawn.
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

}  // namespace palimpsest
