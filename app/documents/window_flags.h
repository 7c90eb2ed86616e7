// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

namespace palimpsest {

/// A flag of the window's program. Its --help, its manual page and its completions are made from this list.
struct WindowFlag {
    const char* flag;
    const char* value;  ///< name of its value, or the allowed ones with | between them; empty: it takes none
    const char* help;
};

inline constexpr const char* kWindowUsage = "[RUN_DIR | SWEEP_DIR | IMAGE_DIR | EXPERIMENT.toml | PRESET | RESULTS]";
inline constexpr const char* kProgramSummary =
    "Watch a neural network learn from a stream, forget, and be helped to remember";

inline constexpr std::array<WindowFlag, 8> kWindowFlags{{
    {"--appearance", "system|dark|light|projector", "how the window looks (else as last chosen)"},
    {"--clean", "",
     "begin without what was open last time: its experiment, runs, panels and keys; that stays remembered as it is"},
    {"--tour", "DIR",
     "walk through the main screens, write a picture of each to DIR, and quit; its runs are thrown away unless "
     "PALIMPSEST_RUNS says where to keep them"},
    {"--tour-limit", "IMAGES", "training images of each run of the tour (else as the presets say)"},
    {"--scale", "FACTOR", "size of everything, 0.5 to 4; a tour at 2 makes pictures of 3840x2160"},
    {"--time-start", "", "say how long it takes until the window is drawn, and quit"},
    {"--help", "", "print this help and quit"},
    {"--version", "", "print the version and quit"},
}};

}  // namespace palimpsest
