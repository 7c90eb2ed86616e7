// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/run/run_events.h"

namespace palimpsest {

// Lists of TestClasses in a run folder, a byte or two for each test image, in numpy's own format (.npy, version 1.0:
// numpy.lib.format): `numpy.load(file)` reads them. The largest value stands for "not tested", the one below it for "an
// output without a class".

/// Test images of a list at most, far beyond any data set.
inline constexpr std::int64_t kMostTestImages = 10'000'000;

/// True when so many classes leave room for the two other values.
bool fitsClassList(std::size_t classes);
/// `classes`: of the data set; fitsClassList(). `list`: at most kMostTestImages.
std::string formatClassList(const std::vector<std::int32_t>& list, std::size_t classes);
/// Throws Error(Input) that says what is wrong with the file; also, before memory is taken for it, where it has more
/// than `most` images.
std::vector<std::int32_t> readClassList(const std::filesystem::path& file, std::int64_t most = kMostTestImages);

/// Most probable classes of test images in a run folder, in numpy's own format: an array [images, 2 * kTopClasses] of
/// bytes, or of two bytes each where there are more than 254 classes. A row holds the classes, the answer first, with
/// the codes of a class list, and then their shares, of which the largest number is 1: with a byte each they are exact
/// to 0.2 %.
std::string formatTopClasses(const std::vector<TopClasses>& images, std::size_t classes);
/// Throws Error(Input) that says what is wrong with the file.
std::vector<TopClasses> readTopClasses(const std::filesystem::path& file);
/// Those of the images at these places alone, so that a file of any length takes no more memory; none of a place that
/// the file does not have. Throws likewise.
std::vector<TopClasses> readTopClasses(const std::filesystem::path& file, const std::vector<std::int64_t>& images);

/// About the most that a run records of most probable classes, in bytes of all files together.
inline constexpr std::int64_t kMostTopBytes = 24'000'000;
/// Whether the most probable classes of so many test images are recorded at an evaluation: the stream of `total` images
/// is cut into as many equal parts as evaluations fit kMostTopBytes, 8 at least and 400 at most, and the first
/// evaluation of a part is recorded. `last`: images seen at the last one that was; -1: none was.
bool recordsTopClasses(std::int64_t samplesSeen, std::int64_t last, std::int64_t testImages, std::size_t classes,
                       std::int64_t total);

/// Files of a run folder: true classes of its test images, and classes predicted at one moment.
std::filesystem::path predictionsFolder(const std::filesystem::path& run);
std::filesystem::path trueClassesFile(const std::filesystem::path& run);
std::filesystem::path predictionsFile(const std::filesystem::path& run, std::int64_t samplesSeen);
/// Most probable classes at the same moment. Folders of older versions do not have it.
std::filesystem::path topClassesFile(const std::filesystem::path& run, std::int64_t samplesSeen);
/// A file of predictions/ that belongs to a moment.
struct MomentFile {
    std::int64_t samples_seen = 0;
    bool top_classes = false;  ///< otherwise the answers
    std::filesystem::path file{};
};
/// Answers and most probable classes of all moments, ascending, of each moment the answers first. Throws Error(Input)
/// where their folder cannot be read.
std::vector<MomentFile> momentFiles(const std::filesystem::path& run);
/// Images seen at the moments whose predictions are there, ascending. Throws Error(Input) where their
/// folder cannot be read.
std::vector<std::int64_t> predictionMoments(const std::filesystem::path& run);

/// The file of a run folder that lists those of predictions/: file,sha256.
inline constexpr const char* kPredictionHashes = "predictions.csv";
struct RecordedPrediction {
    std::string file;      ///< its name in predictions/
    std::string hash;      ///< SHA-256
    std::int64_t end = 0;  ///< bytes of the list up to and with its row
};
/// None where there is no list. Throws Error(Input) where it cannot be read.
std::vector<RecordedPrediction> recordedPredictions(const std::filesystem::path& run);

/// Predicted classes of test images at one moment, counted by true class.
struct ConfusionCounts {
    std::vector<std::int32_t> labels;   ///< rows: the true classes that were tested, in the order in which they came
    std::vector<std::int32_t> answers;  ///< columns: the same, and kNoClassYet last where there was such an answer
    std::vector<std::int64_t> counts;   ///< row by row

    std::int64_t count(std::size_t row, std::size_t column) const { return counts[row * answers.size() + column]; }
    std::int64_t images(std::size_t row) const;
};

/// Raw labels by test image; `seen`: in order of first appearance. Lists of unequal length are compared as far as both
/// go; images that were not tested are left out.
ConfusionCounts countConfusion(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                               const std::vector<std::int32_t>& seen);

}  // namespace palimpsest
