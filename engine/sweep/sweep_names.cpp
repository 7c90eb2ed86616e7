// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_names.h"

#include <algorithm>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

std::vector<std::string> sweepNames() {
    std::vector<std::string> names;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(resourceFolder() / "sweeps", ignored)) {
        if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

fs::path findSweepGrid(const std::string& fileOrName) {
    std::error_code ignored;
    if (fs::is_regular_file(fileOrName, ignored)) return fileOrName;
    const std::vector<std::string> names = sweepNames();
    std::string all;
    for (const std::string& name : names) {
        if (name == fileOrName) return resourceFolder() / "sweeps" / (name + ".toml");
        all += (all.empty() ? "" : ", ") + name;
    }
    const std::string near = nearestWord(fileOrName, names);
    throw inputError("There is no grid or file called \"" + fileOrName + "\".",
                     (near.empty() ? "" : "Did you mean " + near + "? ") + ("The grids are " + all + "."));
}

}  // namespace palimpsest
