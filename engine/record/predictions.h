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

/// True when so many classes leave room for the two other values.
bool fitsClassList(std::size_t classes);
/// `classes`: of the data set; fitsClassList().
std::string formatClassList(const std::vector<std::int32_t>& list, std::size_t classes);
/// Throws Error(Input) that says what is wrong with the file.
std::vector<std::int32_t> readClassList(const std::filesystem::path& file);

/// Most probable classes of test images in a run folder, in numpy's own format: an array [images, 2 * kTopClasses] of
/// bytes, or of two bytes each where there are more than 254 classes. A row holds the classes, the answer first, with
/// the codes of a class list, and then their shares, of which the largest number is 1.
std::string formatTopClasses(const std::vector<TopClasses>& images, std::size_t classes);
/// Throws Error(Input) that says what is wrong with the file.
std::vector<TopClasses> readTopClasses(const std::filesystem::path& file);

/// Files of a run folder: true classes of its test images, and classes predicted at one moment.
std::filesystem::path predictionsFolder(const std::filesystem::path& run);
std::filesystem::path trueClassesFile(const std::filesystem::path& run);
std::filesystem::path predictionsFile(const std::filesystem::path& run, std::int64_t samplesSeen);
/// Most probable classes at the same moment. Folders of older versions do not have it.
std::filesystem::path topClassesFile(const std::filesystem::path& run, std::int64_t samplesSeen);
/// Images seen at the moments whose predictions are there, ascending. Throws Error(Input) where their
/// folder cannot be read.
std::vector<std::int64_t> predictionMoments(const std::filesystem::path& run);

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
