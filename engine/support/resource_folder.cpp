// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/resource_folder.h"

#include <cstdlib>
#include <system_error>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

bool holdsResources(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / "presets", ignored);
}

}  // namespace

fs::path resourceFolder() {
    if (const char* given = std::getenv("PALIMPSEST_RESOURCES"); given && *given) return given;
    std::error_code ignored;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored).parent_path();
    if (holdsResources(program / "../share/palimpsest")) return (program / "../share/palimpsest").lexically_normal();
    for (fs::path above = program; above.has_relative_path(); above = above.parent_path()) {
        if (holdsResources(above / "resources")) return above / "resources";
    }
    return PALIMPSEST_SOURCE_RESOURCES;
}

}  // namespace palimpsest
