// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/data_folder.h"

#include <cstdlib>

namespace palimpsest {

std::filesystem::path dataFolder() {
    const auto environment = [](const char* name) -> std::filesystem::path {
        const char* value = std::getenv(name);
        return value != nullptr ? value : "";
    };
    if (const auto data = environment("PALIMPSEST_DATA"); !data.empty()) return data;
    if (const auto data = environment("XDG_DATA_HOME"); !data.empty()) return data / "palimpsest" / "data";
    const auto home = environment("HOME");
    return (home.empty() ? "." : home) / ".local" / "share" / "palimpsest" / "data";
}

}  // namespace palimpsest
