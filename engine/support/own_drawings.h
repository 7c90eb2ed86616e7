// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of classes that the user drew: train/CLASS/*.png to learn from, test/CLASS/*.png to test with, as any folder
// of images has them, and base.txt with the data set that these classes are added to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace palimpsest {

/// Name of the data set that is a folder of own drawings and the data set below it.
inline constexpr const char* kOwnDrawings = "own-drawings";
inline constexpr const char* kDrawingsTrain = "train";
inline constexpr const char* kDrawingsTest = "test";
inline constexpr const char* kDrawingsBase = "base.txt";

/// Each drawing is shown so many times: as it is, and else shifted, turned and stretched a little.
inline constexpr std::int64_t kDrawingTimes = 5;
/// Pixels that it is shifted at most, degrees that it is turned, and by how much it grows or shrinks.
inline constexpr double kDrawingShift = 2, kDrawingTurn = 8, kDrawingStretch = 0.08;
/// Most classes of a folder, and most drawings that one of them may have.
inline constexpr std::size_t kMostDrawnClasses = 100, kMostDrawings = 1000;
/// Most test drawings of all own classes whose probabilities a run records.
inline constexpr std::size_t kMostWatched = 16;

/// The data set that own classes are added to.
struct DrawingsBase {
    std::string dataset;           ///< its name in the catalogue
    std::filesystem::path root{};  ///< folder of its files; empty: the usual places
    bool operator==(const DrawingsBase&) const = default;
};

/// What base.txt says: a name in the first line, and in the second, which may be missing, a folder. Throws Error(Input)
/// for a text that is not so. `file`: for messages.
DrawingsBase parseDrawingsBase(std::string_view text, const std::filesystem::path& file);
/// The base of a folder of own drawings. Throws Error(Input) where there is none.
DrawingsBase readDrawingsBase(const std::filesystem::path& folder);
/// Throws Error(Input) where it cannot be written.
void writeDrawingsBase(const std::filesystem::path& folder, const DrawingsBase& base);

}  // namespace palimpsest
