// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_plan.h"

#include <algorithm>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// One value of every axis, in the order of the axes.
using Combination = std::vector<SweepSetting>;

bool isExperiment(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored) || fs::is_regular_file(path / "experiment.toml", ignored);
}

/// A file beside the grid comes first; what lies where the program happens to be called does not count.
Experiment baseOf(const OptionTable& table, const std::string& base, const fs::path& folder) {
    const fs::path beside = folder / base;
    if (isExperiment(beside)) return loadExperiment(table, beside.string());
    for (const Preset& preset : listPresets())
        if (preset.name == base) return readExperiment(table, preset.file);
    const bool path = base.find('/') != std::string::npos || base.ends_with(".toml");
    return loadExperiment(table, path ? beside.string() : base);
}

void requireSane(const SweepGrid& grid, const std::string& origin) {
    std::int64_t runs = static_cast<std::int64_t>(grid.seeds.size() * std::max<std::size_t>(1, grid.rows.size()));
    for (const SweepAxis& axis : grid.axes) {
        if (runs > kMostSweepRuns) break;
        runs *= static_cast<std::int64_t>(axis.values.size());
    }
    if (runs <= kMostSweepRuns) return;
    throw inputError(origin + " asks for more than " + grouped(kMostSweepRuns) + " runs.",
                     "Take fewer seeds, rows or values to vary.");
}

/// The last axis changes fastest. A single empty one when nothing varies.
std::vector<Combination> combinationsOf(const std::vector<SweepAxis>& axes) {
    std::vector<Combination> all = {{}};
    for (const SweepAxis& axis : axes) {
        std::vector<Combination> longer;
        for (const Combination& shorter : all) {
            for (const OptionValue& value : axis.values) {
                longer.push_back(shorter);
                longer.back().push_back({axis.key, value});
            }
        }
        all = std::move(longer);
    }
    return all;
}

/// "batch 32", "CutMix true".
std::string spelled(const Option& option, const std::string& value) {
    std::string title = option.title.empty() ? option.leaf() : option.title;
    const bool plain = std::none_of(title.begin() + 1, title.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
    if (plain && title.front() >= 'A' && title.front() <= 'Z')
        title.front() = static_cast<char>(title.front() - 'A' + 'a');
    return title + " " + value;
}

void apply(const OptionTable& table, Experiment& experiment, const std::vector<SweepSetting>& settings,
           const fs::path& folder) {
    for (const SweepSetting& setting : settings) {
        table.set(experiment, *table.find(setting.key), setting.value);
        std::string& list = experiment.stream.index_list;
        if (setting.key == "stream.index_list" && !list.empty() && fs::path(list).is_relative())
            list = (folder / list).lexically_normal().string();
    }
}

std::string numbered(std::int64_t number, std::int64_t most) {
    const std::size_t width = std::max<std::size_t>(3, std::to_string(most).size());
    const std::string digits = std::to_string(number);
    return std::string(width - digits.size(), '0') + digits;
}

std::string folderName(std::int64_t number, std::int64_t most, const std::string& line, std::int64_t seed) {
    constexpr std::size_t kLongest = 60;
    const std::string name = slug(line, kLongest);
    return numbered(number, most) + (name.empty() ? "" : "-" + name) + "-seed-" + std::to_string(seed);
}

}  // namespace

SweepPlan planSweep(const OptionTable& table, const SweepGrid& grid, const fs::path& file) {
    const std::string origin = file.string();
    requireSane(grid, origin);
    const fs::path folder = fs::absolute(file).parent_path();
    Experiment base = [&] {
        try {
            return baseOf(table, grid.base, folder);
        } catch (const Error& error) {
            throw Error(error.kind(), origin + ", base: " + error.what(), error.hint());
        }
    }();
    apply(table, base, grid.settings, folder);

    std::vector<SweepRow> rows = grid.rows;
    if (rows.empty()) rows.push_back({grid.axes.empty() ? base.name : "", {}});
    const std::vector<Combination> combinations = combinationsOf(grid.axes);

    SweepPlan plan{grid.title, grid.metrics, {}, grid.seeds, {}};
    std::vector<Experiment> experiments;
    std::set<std::string> names;
    for (const SweepRow& row : rows) {
        for (std::size_t c = 0; c < combinations.size(); ++c) {
            Experiment experiment = base;
            apply(table, experiment, row.settings, folder);
            apply(table, experiment, combinations[c], folder);
            std::string name = row.name;
            for (const SweepSetting& varied : combinations[c]) {
                const Option& option = *table.find(varied.key);
                name += (name.empty() ? "" : ", ") + spelled(option, table.text(experiment, option));
            }
            experiment.name = name;
            std::string all;
            for (const std::string& problem : table.problems(experiment)) all += " " + problem;
            if (!all.empty()) {
                throw inputError(origin + ", \"" + name + "\":" + all,
                                 "`palimpsest-cli options` explains every option.");
            }
            if (!names.insert(name).second) {
                throw inputError(origin + ": two lines of the table would be called \"" + name + "\".",
                                 "Give the rows other names.");
            }
            plan.lines.push_back({name, rows.size() > 1 ? c : 0});
            experiments.push_back(std::move(experiment));
        }
    }
    const auto total = static_cast<std::int64_t>(plan.lines.size() * plan.seeds.size());
    for (const std::int64_t seed : plan.seeds) {
        for (std::size_t line = 0; line < plan.lines.size(); ++line) {
            const auto number = static_cast<std::int64_t>(plan.runs.size()) + 1;
            SweepRun run{number, line, folderName(number, total, plan.lines[line].name, seed), experiments[line]};
            run.experiment.seed = seed;
            plan.runs.push_back(std::move(run));
        }
    }
    return plan;
}

}  // namespace palimpsest
