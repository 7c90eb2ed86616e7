// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_inputs.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"

namespace palimpsest::report {

namespace {

namespace fs = std::filesystem;

bool there(const fs::path& path) {
    std::error_code unreadable;
    return fs::exists(path, unreadable);
}

bool isRun(const fs::path& folder) {
    return there(folder / "run.json");
}

/// Place of a sweep's run in the grid: its row, then its seed. `rows`: of the table.
std::pair<std::size_t, std::size_t> placeInGrid(const fs::path& folder, std::size_t rows) {
    const std::string name = folder.filename().string();
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error != std::errc() || number == 0 || *end != '-') return {std::numeric_limits<std::size_t>::max(), 0};
    // All rows are run with the first seed, then all with the second.
    return {(number - 1) % rows, (number - 1) / rows};
}

/// Number of rows of the table of the sweep in this folder. A sweep that never wrote its sweep.json, such as an array
/// job, counts as having more rows than any number names, so that numbers alone decide.
std::size_t rowsOfSweep(const fs::path& folder) {
    std::size_t rows = 0;
    try {
        const auto json =
            parsedJson<nlohmann::json>(readTextFile(folder / "sweep.json", FilePlace::InFolder, file_limit::kDocument));
        if (json.is_object() && json.contains("rows") && json["rows"].is_array()) rows = json["rows"].size();
    } catch (const Error&) {
        // An unreadable file counts as none.
    }
    return rows > 0 ? rows : std::numeric_limits<std::size_t>::max();
}

/// The user may keep a grid in any folder of runs; a sweep has its runs a folder further down.
bool isSweep(const fs::path& folder) {
    std::error_code unreadable;
    return fs::is_directory(fs::symlink_status(folder / "runs", unreadable)) &&
           (there(folder / "sweep.json") || there(folder / "sweep.toml"));
}

/// The runs below, oldest first; those of a sweep in the order of its grid, whichever happened to begin first, so that
/// the first row is that of its table.
std::vector<fs::path> runsBelow(const fs::path& input) {
    const fs::path whole = fs::absolute(input).lexically_normal();
    const fs::path named = whole.has_filename() ? whole : whole.parent_path();
    const bool sweep = isSweep(named);
    std::vector<fs::path> below = findRuns(sweep ? input / "runs" : input);
    std::reverse(below.begin(), below.end());
    const bool runs_of_sweep = named.filename() == "runs" && isSweep(named.parent_path());
    if (sweep || runs_of_sweep) {
        const std::size_t rows = rowsOfSweep(sweep ? named : named.parent_path());
        std::stable_sort(below.begin(), below.end(), [&](const fs::path& a, const fs::path& b) {
            return placeInGrid(a, rows) < placeInGrid(b, rows);
        });
    }
    return below;
}

}  // namespace

std::vector<fs::path> collectRunFolders(const std::vector<fs::path>& inputs) {
    std::vector<fs::path> folders;
    std::set<fs::path> known;
    const auto add = [&](const fs::path& folder) {
        std::error_code error;
        const fs::path real = fs::canonical(folder, error);
        if (known.insert(error ? folder : real).second) folders.push_back(folder);
    };
    for (const fs::path& input : inputs) {
        if (!there(input))
            throw inputError("There is no run at " + input.string() + ".", "Name a run folder or a folder of runs.");
        if (isRun(input)) {
            add(input);
            continue;
        }
        const std::vector<fs::path> below = runsBelow(input);
        if (below.empty()) {
            throw inputError(input.string() + " is neither a run nor a folder of runs.",
                             "A run folder holds a file run.json; palimpsest-cli run makes one.");
        }
        std::for_each(below.begin(), below.end(), add);
    }
    if (folders.empty())
        throw inputError("There is no run to report on.", "Name at least one run folder or folder of runs.");
    return folders;
}

}  // namespace palimpsest::report
