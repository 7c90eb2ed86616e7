// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_plan.h"

#include <algorithm>
#include <set>
#include <span>

#include "engine/config/experiment_differences.h"
#include "engine/config/experiment_file.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
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

/// Text of every option that decides how prompts come out, unless it is as usual: options that later versions add
/// change no name as long as nobody uses them.
std::string promptSettings(const OptionTable& table, const Experiment& experiment) {
    const Experiment usual = table.defaults();
    std::string text;
    for (const Option& option : table.options()) {
        const std::string section = option.section();
        const bool decides = section == "initial_session" || section == "backbone" || section == "method" ||
                             option.key == "seed" || option.key == "training.augment_scope" ||
                             option.key == "stream.normalise" || option.key == "precision";
        const std::string value = table.text(experiment, option);
        if (decides && value != table.text(usual, option)) text += option.key + " = " + value + "\n";
    }
    return text;
}

std::string promptFile(const OptionTable& table, const SweepSession& session, const Experiment& experiment) {
    constexpr std::size_t kDigits = 12;
    const std::string text = promptSettings(table, experiment);
    Sha256 digest;
    digest.add(std::as_bytes(std::span(text)));
    return slug(session.name, 40) + "-" + digest.hex().substr(0, kDigits) + ".safetensors";
}

void requireNoProblemsIn(const OptionTable& table, const Experiment& experiment, const std::string& where) {
    std::string all;
    for (const std::string& problem : table.problems(experiment)) all += " " + problem;
    if (!all.empty()) throw inputError(where + ":" + all, "`palimpsest-cli options` explains every option.");
}

/// The initial sessions of a grid, as far as rows name them.
class SessionPlan {
public:
    SessionPlan(const OptionTable& table, const SweepGrid& grid, const Experiment& base, const fs::path& folder,
                const std::string& origin)
        : table_(table), grid_(grid), base_(base), folder_(folder), origin_(origin) {}

    /// Place of the prompts of that session among `prompts`, to which it is added where it is missing.
    std::size_t placeOf(const std::string& name, std::vector<SweepPrompts>& prompts) const {
        const auto& session =
            *std::ranges::find(grid_.sessions, name, [](const SweepSession& one) { return one.name; });
        const std::string where = origin_ + ", initial session \"" + name + "\"";
        Experiment experiment = base_;
        apply(table_, experiment, session.settings, folder_);
        experiment.name = name;
        experiment.seed = session.seed;
        requireNoProblemsIn(table_, experiment, where);
        const std::string& kind = experiment.initial_session.prompts;
        if (kind != "naive" && kind != "sam" && kind != "fam")
            throw inputError(where + ": initial_session.prompts is " + kind + ", which is no way to adapt prompts.",
                             "Write naive, sam or fam.");
        if (!table_.find("initial_session.prompts")->isReadBy(experiment.method.name))
            throw inputError(where + ": method.name is " + experiment.method.name + ", which has no prompts to adapt.",
                             "Write \"method.name\" = \"dualprompt\" among its settings.");
        const std::string file = promptFile(table_, session, experiment);
        const std::string key = file.substr(file.size() - kKeyLength);
        for (std::size_t i = 0; i < prompts.size(); ++i)
            if (prompts[i].file.ends_with(key)) return i;
        prompts.push_back({name, file, std::move(experiment)});
        return prompts.size() - 1;
    }

    /// Gives a run the prompts; how they were made stands in its experiment, too.
    void begin(Experiment& run, const SweepPrompts& prompts, const std::string& line) const {
        for (const Option& option : table_.options()) {
            const bool layout = option.key == "method.pool_size" || option.key == "method.g_blocks" ||
                                option.key == "method.g_length" || option.key == "method.e_blocks" ||
                                option.key == "method.e_length";
            if (option.section() != "backbone" && !(layout && option.isReadBy(run.method.name))) continue;
            const std::string here = table_.text(run, option), there = table_.text(prompts.experiment, option);
            if (here != there)
                throw inputError(origin_ + ", \"" + line + "\": " + option.key + " is " + here +
                                     ", but its initial session \"" + prompts.name + "\" has " + there + ".",
                                 "Give both the same.");
        }
        const std::string load = run.initial_session.load;
        run.initial_session = prompts.experiment.initial_session;
        run.initial_session.load = load;
        run.initial_session.prompts = prompts.file;
    }

private:
    static constexpr std::size_t kKeyLength = 12 + std::string_view(".safetensors").size();

    const OptionTable& table_;
    const SweepGrid& grid_;
    const Experiment& base_;
    const fs::path& folder_;
    const std::string& origin_;
};

/// A row's place in the grid; the name is known.
std::size_t rowNamed(const std::vector<SweepRow>& rows, const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(rows, name, [](const SweepRow& row) { return row.name; }) -
                                    rows.begin());
}

}  // namespace

fs::path keptBaseOf(const fs::path& file) {
    const fs::path kept = fs::absolute(file).parent_path() / kKeptBase;
    std::error_code ignored;
    return file.filename() == "sweep.toml" && fs::exists(fs::symlink_status(kept, ignored)) ? kept : fs::path();
}

Experiment sweepBase(const OptionTable& table, const SweepGrid& grid, const fs::path& file) {
    try {
        if (const fs::path kept = keptBaseOf(file); !kept.empty())
            return readExperiment(table, kept, FilePlace::InFolder);
        return baseOf(table, grid.base, fs::absolute(file).parent_path());
    } catch (const Error& error) {
        throw Error(error.kind(), file.string() + ", base: " + error.what(), error.hint());
    }
}

std::string sweepBaseDifference(const OptionTable& table, const SweepGrid& grid, const fs::path& file,
                                const Experiment& there, const Experiment& here) {
    SweepGrid once = grid;
    if (once.seeds.size() > 1) once.seeds.resize(1);
    const SweepPlan old = planSweep(table, once, file, there), now = planSweep(table, once, file, here);
    for (std::size_t i = 0; i < std::min(old.runs.size(), now.runs.size()); ++i) {
        Experiment before = spelledOut(old.runs[i].experiment);
        const Experiment after = spelledOut(now.runs[i].experiment);
        // Runs that have begun keep the name of a base that is the only row.
        before.name = after.name;
        // A base that was moved together with its list is the same.
        if (fs::path(before.stream.index_list).filename() == fs::path(after.stream.index_list).filename())
            before.stream.index_list = after.stream.index_list;
        if (std::string difference = firstSettingApart(table, before, after); !difference.empty()) return difference;
    }
    return {};
}

SweepPlan planSweep(const OptionTable& table, const SweepGrid& grid, const fs::path& file) {
    requireSane(grid, file.string());
    return planSweep(table, grid, file, sweepBase(table, grid, file));
}

SweepPlan planSweep(const OptionTable& table, const SweepGrid& grid, const fs::path& file, const Experiment& given) {
    const std::string origin = file.string();
    requireSane(grid, origin);
    const fs::path folder = fs::absolute(file).parent_path();
    Experiment base = given;
    apply(table, base, grid.settings, folder);

    std::vector<SweepRow> rows = grid.rows;
    if (rows.empty()) rows.push_back({grid.axes.empty() ? base.name : "", {}});
    const std::vector<Combination> combinations = combinationsOf(grid.axes);

    SweepPlan plan{grid.title, grid.metrics, {}, grid.seeds, {}, grid.published_in};
    const SessionPlan sessions(table, grid, base, folder, origin);
    std::vector<Experiment> experiments;
    std::vector<std::optional<std::size_t>> prompts;
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
            prompts.emplace_back();
            if (!row.initial_session.empty()) {
                prompts.back() = sessions.placeOf(row.initial_session, plan.prompts);
                sessions.begin(experiment, plan.prompts[*prompts.back()], name);
            }
            requireNoProblemsIn(table, experiment, origin + ", \"" + name + "\"");
            if (!names.insert(name).second) {
                throw inputError(origin + ": two lines of the table would be called \"" + name + "\".",
                                 "Give the rows other names.");
            }
            const std::size_t first = row.baseline.empty() ? 0 : rowNamed(rows, row.baseline);
            plan.lines.push_back({name, rows.size() > 1 ? first * combinations.size() + c : 0, row.published});
            experiments.push_back(std::move(experiment));
        }
    }
    const auto total = static_cast<std::int64_t>(plan.lines.size() * plan.seeds.size());
    for (const std::int64_t seed : plan.seeds) {
        for (std::size_t line = 0; line < plan.lines.size(); ++line) {
            const auto number = static_cast<std::int64_t>(plan.runs.size()) + 1;
            SweepRun run{number, line, folderName(number, total, plan.lines[line].name, seed), experiments[line],
                         prompts[line]};
            run.experiment.seed = seed;
            plan.runs.push_back(std::move(run));
        }
    }
    return plan;
}

Error errorInRow(const fs::path& grid, const std::string& row, const Error& error) {
    return Error(error.kind(), grid.string() + ", \"" + row + "\": " + error.what(), error.hint());
}

void renameOnlyLine(SweepPlan& plan, const std::string& name) {
    plan.lines.front().name = name;
    for (SweepRun& run : plan.runs) {
        run.folder = folderName(run.number, std::ssize(plan.runs), name, run.experiment.seed);
        run.experiment.name = name;
    }
}

void placePrompts(SweepPlan& plan, const fs::path& folder) {
    for (SweepRun& run : plan.runs)
        if (run.prompts) run.experiment.initial_session.prompts = (folder / plan.prompts[*run.prompts].file).string();
}

}  // namespace palimpsest
