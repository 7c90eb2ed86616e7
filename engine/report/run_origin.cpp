// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_origin.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace palimpsest::report {

RunOrigin readOrigin(const std::filesystem::path& folder) {
    RunOrigin origin;
    std::ifstream in(folder / "run.json", std::ios::binary);
    const auto run = nlohmann::ordered_json::parse(in, nullptr, false);
    if (!run.is_object()) {
        return origin;
    }
    if (const auto versions = run.find("versions"); versions != run.end() && versions->is_object()) {
        for (const auto& [program, version] : versions->items()) {
            if (version.is_string()) {
                origin.versions += (origin.versions.empty() ? "" : ", ") + program + " " + version.get<std::string>();
            }
        }
    }
    if (const auto warnings = run.find("warnings"); warnings != run.end() && warnings->is_array()) {
        for (const auto& warning : *warnings) {
            if (warning.is_string()) {
                origin.warnings.push_back(warning.get<std::string>());
            }
        }
    }
    return origin;
}

}  // namespace palimpsest::report
