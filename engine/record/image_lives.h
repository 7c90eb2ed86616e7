// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/run/run_events.h"

namespace palimpsest {

/// Answers of a run to its test images, at all moments that its folder recorded.
struct ImageLives {
    TestClasses truth;                  ///< true classes; null: not known
    std::vector<std::int64_t> moments;  ///< images seen, ascending
    std::vector<TestClasses> answers;   ///< by moment; none is null
    std::size_t left_out = 0;           ///< evaluations that are not among them: too many, or not readable

    std::size_t images() const { return truth ? truth->size() : 0; }
    /// Answer to an image at a moment; kNotTested where the list is too short.
    std::int32_t answer(std::size_t moment, std::size_t image) const;
    /// The last moment that is not after so many images seen; moments.size(): there is none.
    std::size_t momentUpTo(std::int64_t samplesSeen) const;
};

/// A test image that was recognised at one moment and is not at a later one.
struct ForgottenImage {
    std::int64_t image = 0;        ///< its place in the test set
    std::int32_t label = 0;        ///< raw
    std::int64_t right_until = 0;  ///< images seen when it was right for the last time
    std::int64_t wrong_since = 0;  ///< and when it was tested next
    std::int32_t answer = 0;       ///< what it is taken for: raw, or kNoClassYet
    bool operator==(const ForgottenImage&) const = default;
};

/// Most answers that are read: where there are more, evaluations are left out evenly, and the last one stays.
inline constexpr std::size_t kMostAnswers = 50'000'000;

/// Reads a run folder. `before`: what was read earlier, which is not read again; may be empty. Throws Error(Input)
/// where the folder has no predictions, or none of them can be read.
ImageLives readImageLives(const std::filesystem::path& run, const ImageLives& before = {});

/// Most probable classes of some test images of a run at some moments: a row for each image with an entry for each
/// moment, empty where its folder has none (older versions recorded answers alone) or they cannot be read.
using ImageTopClasses = std::vector<std::vector<TopClasses>>;
ImageTopClasses readTopClassesOf(const std::filesystem::path& run, const std::vector<std::int64_t>& moments,
                                 const std::vector<std::int64_t>& images);

/// Images that had been right before the moment and are wrong then, the newest loss first.
std::vector<ForgottenImage> forgottenImages(const ImageLives& lives, std::size_t moment);

}  // namespace palimpsest
