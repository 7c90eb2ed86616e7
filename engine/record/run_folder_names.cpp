// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>

#include "engine/record/run_folder.h"

namespace palimpsest {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

}  // namespace

std::filesystem::path defaultRunsFolder() {
    if (const std::string runs = environment("PALIMPSEST_RUNS"); !runs.empty()) return runs;
    if (const std::string data = environment("XDG_DATA_HOME"); !data.empty()) {
        return std::filesystem::path(data) / "palimpsest" / "runs";
    }
    const std::string home = environment("HOME");
    return std::filesystem::path(home.empty() ? "." : home) / ".local" / "share" / "palimpsest" / "runs";
}

}  // namespace palimpsest
