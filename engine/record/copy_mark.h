// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace palimpsest {

/// Name of the file in a copy that says where it comes from.
inline constexpr const char* kCopyMark = "copy-of.txt";
/// Where a folder of this machine was copied from; empty where it was not.
std::string copiedFrom(const std::filesystem::path& folder);
/// A copy of a folder of another machine.
struct CopyOf {
    std::filesystem::path folder;  ///< of the copy, absolute
    std::string place;             ///< where it comes from
};
/// The copy that a run's folder is, or lies in: that of a sweep or of a folder of runs. Absent where there is none.
std::optional<CopyOf> copyAround(const std::filesystem::path& run);
/// True where there is one.
bool liesInCopy(const std::filesystem::path& run);
/// Name of the file by which the folder of a run that goes on in a copy is known again, also under another name and in
/// another place. Hidden files are not copied to other machines.
inline constexpr const char* kComputedHere = ".computed-here";
/// Marks such a folder; returns what its run.json is to hold as "computed_in". Throws Error(Input).
std::string markComputedHere(const std::filesystem::path& run);
/// True for the folder that was marked with this.
bool isComputedHere(const std::filesystem::path& run, const std::string& computedIn);

}  // namespace palimpsest
