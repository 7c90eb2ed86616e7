// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Most probable classes that are recorded of a watched image besides its own.
inline constexpr std::int64_t kWatchedOthers = 3;

/// Probability that a learner gives a class for a test image that is watched.
struct WatchedShare {
    std::int64_t image = 0;  ///< its place in the test set
    std::int32_t label = 0;  ///< raw, or kNoClassYet
    double probability = 0;  ///< from 0 to 1, after the mask
    bool operator==(const WatchedShare&) const = default;
};

/// What a watched image was taken for at one evaluation: its true class first, then the most probable others in
/// descending order.
struct WatchedMoment {
    std::int64_t samples_seen = 0;
    std::vector<WatchedShare> shares;

    /// The class that the network took it for: the most probable one, which has no equal.
    const WatchedShare& best() const {
        return shares.size() > 1 && shares[1].probability > shares[0].probability ? shares[1] : shares[0];
    }
    bool recognised() const { return &best() == shares.data(); }
    bool operator==(const WatchedMoment&) const = default;
};

struct WatchedImage {
    std::int64_t image = 0;
    std::int32_t label = 0;              ///< true class, raw
    std::vector<WatchedMoment> moments;  ///< ascending; never empty

    /// The last moment that is not after so many images seen; moments.size(): there is none.
    std::size_t momentUpTo(std::int64_t samplesSeen) const;
    /// The moment since which it is taken for another class, where it had been recognised before; moments.size(): it is
    /// recognised then, or never was.
    std::size_t forgottenSince(std::size_t moment) const;
    bool operator==(const WatchedImage&) const = default;
};

/// File of a run folder: samples_seen,image,class,probability; the first row of an image at a moment is that of its
/// true class. An empty class: an output that no class has taken yet. The answer's probability is above all others, by
/// a last digit where they would be equal.
inline constexpr const char* kWatchedFile = "watched.csv";
inline constexpr const char* kWatchedHeader = "samples_seen,image,class,probability";

/// More rows are not read.
inline constexpr std::size_t kMostWatchedRows = 1'000'000;

/// Watched images of a run, at most kMostWatched; none where there is no such file. Lines that make no sense are left
/// out, and told in `warnings` as CsvScan has them. Never throws.
std::vector<WatchedImage> readWatched(const std::filesystem::path& run, std::vector<std::string>* warnings = nullptr);

}  // namespace palimpsest
