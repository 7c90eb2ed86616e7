// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <filesystem>
#include <vector>

namespace palimpsest {

/// Runs that come with the program, recorded once and so the same on every machine: the demo, the demo without its
/// mask, and the demo whose prompts began as random numbers. In the order in which they are shown.
inline constexpr std::array<const char*, 3> kDemoRuns{"demo", "demo-no-mask", "demo-random-prompts"};

/// Folder of these runs among the resources.
std::filesystem::path recordedRunsFolder();

/// Copies those of these runs that a folder of runs lacks into it, where they are runs like all others, and returns the
/// folders of all of them, in their order. One that is there stays as it is. Throws Error(Input) when one cannot be
/// read or written.
std::vector<std::filesystem::path> bringDemoRuns(const std::filesystem::path& runs);

}  // namespace palimpsest
