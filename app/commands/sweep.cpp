// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/sweep_folder.h"
#include "app/cli/sweep_needs.h"
#include "app/cli/sweep_printer.h"
#include "app/cli/sweep_runner.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "app/commands/sweep_estimate.h"
#include "datasets/drawn/miniature.h"
#include "engine/remote/remote_sweep.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"
#include "engine/sweep/miniature.h"
#include "engine/sweep/number_ranges.h"
#include "engine/sweep/slurm_cluster.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_slurm.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

struct SweepArguments {
    std::string grid;
    std::string out;
    int jobs = 0;
    std::string only;
    std::string slurm, prompts, rows;
    std::int64_t throttle = 0, runs_per_task = 1;
    std::string on, program;
    bool submit = false, cancel = false;
    bool list = false, list_grids = false, table = false;
    bool only_prompts = false, estimate = false, miniature = false;
    bool json = false;

    /// Folder of the prompts that the sweep makes; empty where none is named.
    fs::path promptFolder() const {
        // Those of a miniature must never be taken for real ones.
        if (miniature) return fs::absolute(out).lexically_normal() / kMiniatureData / "prompts";
        if (!prompts.empty()) return fs::absolute(prompts).lexically_normal();
        return out.empty() ? fs::path() : fs::absolute(out).lexically_normal() / "prompts";
    }
};

FoundGrid readGrid(const OptionTable& table, const std::string& name) {
    const fs::path file = findSweepGrid(name);
    std::string text = readTextFile(file, FilePlace::Named, file_limit::kSettings);
    SweepGrid grid = parseSweepGrid(table, text, file.string(), report::sweepMetrics());
    Experiment base = sweepBase(table, grid, file);
    return {file, std::move(text), std::move(grid), std::move(base)};
}

/// Where a grid was, which may be gone; names of index lists and of a base in it begin there.
fs::path placeOfGrid(const std::string& name, const fs::path& kept) {
    try {
        return findSweepGrid(name);
    } catch (const Error&) {
        return name.find('/') != std::string::npos || name.ends_with(".toml") ? fs::path(name) : kept;
    }
}

/// The sweep for what only reads it: that in the folder where it holds one, whatever became of the grid that is named
/// and of its base, and what they are unlike is said.
FoundGrid gridToRead(const OptionTable& table, const std::string& name, const std::string& out) {
    const fs::path folder = fs::absolute(out).lexically_normal();
    const fs::path file = folder / "sweep.toml";
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) return readGrid(table, name);
    std::string text = readTextFile(file, FilePlace::InFolder, file_limit::kSettings);
    SweepGrid grid = parseSweepGrid(table, text, file.string(), report::sweepMetrics());
    const fs::path place = placeOfGrid(name, file);
    // Folders of older versions kept no base.
    Experiment base = sweepBase(table, grid, keptBaseOf(file).empty() ? place : file);
    const std::string sweep = "The sweep in " + folder.string();
    try {
        FoundGrid given = readGrid(table, name);
        const std::string other = sweepDifference(grid, given.grid);
        const std::string apart =
            other.empty() ? sweepBaseDifference(table, grid, given.file, base, given.base) : other;
        if (apart.empty()) return given;
        noteOnStderr(sweep + " has another " + (other.empty() ? "base" : "grid") + " (" + apart +
                     "); it is read as it is.");
    } catch (const Error& error) {
        noteOnStderr(sweep + " is read as it is. What was given cannot be compared with it: " + error.what());
    }
    return {place, std::move(text), std::move(grid), std::move(base)};
}

int listGrids(const OptionTable& table, bool json) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const std::string& name : sweepNames()) {
        const FoundGrid found = readGrid(table, name);
        const SweepPlan plan = planSweep(table, found.grid, found.file, found.base);
        if (json)
            printLine({{"name", name},
                       {"title", plan.title},
                       {"rows", plan.lines.size()},
                       {"seeds", plan.seeds.size()},
                       {"runs", plan.runs.size()},
                       {"initial_sessions", plan.prompts.size()}});
        rows.emplace_back(name, plan.title + "; " + std::to_string(plan.lines.size()) + " rows, " +
                                    std::to_string(plan.seeds.size()) + " seeds");
    }
    if (!json) std::cout << twoColumns(rows) << std::flush;
    return 0;
}

/// Numbers of the runs whose row's name holds the text.
std::vector<std::size_t> chosenRuns(const SweepPlan& plan, const std::string& text) {
    std::vector<std::size_t> runs;
    for (std::size_t i = 0; i < plan.runs.size(); ++i)
        if (plan.lines[plan.runs[i].line].name.find(text) != std::string::npos) runs.push_back(i);
    if (runs.empty()) throw inputError("No row of the grid has \"" + text + "\" in its name.", "--list shows them.");
    return runs;
}

/// Small data in the folder of the sweep, which the runs find in place of the real ones.
void prepareMiniature(const OptionTable& table, const SweepArguments& given, SweepPlan& plan) {
    makeMiniature(table, plan);
    const fs::path data = fs::absolute(given.out).lexically_normal() / kMiniatureData;
    for (const std::string& name : datasetsOf(plan)) makeMiniature(name, data);
    setenv("PALIMPSEST_DATA", data.c_str(), 1);
}

int listRuns(const OptionTable& table, const SweepArguments& given, const FoundGrid& found, SweepPlan& plan) {
    if (!given.rows.empty()) throw inputError("--list prints all runs, whatever --rows says.", "Leave --rows out.");
    if (given.out.empty()) {
        SweepPrinter(plan, given.out, given.json).list(nullptr);
        return 0;
    }
    const SweepFolder folder(table, given.out, found);
    folder.place(plan);
    const SweepPrinter printer(plan, given.out, given.json);
    const std::vector<SweepResult> results = folder.read(plan);
    std::map<std::int64_t, SlurmTask> tasks;
    try {
        tasks = slurmTasks(folder.path());
    } catch (const Error& error) {
        std::cerr << "Note: " << error.sentence() << std::endl;
    }
    printer.list(&results, tasks);
    return 0;
}

int makeTables(const SweepFolder& folder, const SweepArguments& given, const SweepPlan& plan) {
    if (!folder.holdsSweep())
        throw inputError(folder.path().string() + " holds no sweep yet.", "Call it without --table first.");
    folder.requireSameSettings(plan);
    printFiles(folder.write(plan, folder.read(plan)), given.json);
    return 0;
}

/// Writes the scripts anew; those of an earlier call that had more are removed.
std::vector<fs::path> writeScripts(const SweepFolder& folder, const SlurmJob& job,
                                   const std::vector<std::string>& scripts) {
    std::vector<fs::path> files;
    for (std::size_t part = 0; part < scripts.size(); ++part) {
        files.push_back(folder.path() / slurmScriptName(job, part));
        replaceTextFile(files.back(), scripts[part], Keep::Written, FilePlace::InFolder);
    }
    std::error_code none;
    for (std::size_t part = scripts.size(); !job.runs.empty(); ++part)
        if (!fs::remove(folder.path() / slurmScriptName(job, part), none)) break;
    return files;
}

/// Cancels what Slurm took before it refused the rest, so that another call submits nothing twice.
void takeBack(const std::vector<std::string>& jobs, const Error& refusal) {
    try {
        cancelSlurmJobs(jobs);
    } catch (const Error&) {
        throw Error(refusal.kind(), refusal.what(),
                    "Slurm has " + enumeration(jobs) +
                        " of this sweep already: cancel them with scancel, then call "
                        "the same again.");
    }
}

/// Submits them, or prints the lines that do.
void submit(const std::optional<fs::path>& before, const std::vector<fs::path>& files, std::size_t runs,
            const SweepArguments& given) {
    if (given.submit) {
        std::vector<std::string> jobs;
        const auto give = [&jobs](const fs::path& file, const std::string& after) {
            try {
                jobs.push_back(submitToSlurm(file, after));
                return jobs.back();
            } catch (const Error& error) {
                takeBack(jobs, error);
                // A task of what was taken may have begun.
                if (!jobs.empty()) throw Error(error);
                throw;
            }
        };
        const std::string first = before ? give(*before, {}) : std::string();
        for (const fs::path& file : files) {
            const std::string job = give(file, first);
            if (given.json)
                printLine({{"event", "submitted"}, {"file", file.string()}, {"job", job}, {"after", orNull(first)}});
            else
                std::cout << "Slurm has " << file.string() << " as job " << job
                          << (first.empty() ? "" : ", behind job " + first + ", which makes the prompts") << "."
                          << std::endl;
        }
        if (!given.json) std::cout << "--list says how the runs stand." << std::endl;
        return;
    }
    for (const fs::path& file : files) {
        if (given.json)
            printLine({{"file", file.string()}, {"runs", runs}, {"before", before ? Json(before->string()) : Json()}});
        else if (before && files.size() == 1)
            std::cout << "sbatch --dependency=afterok:$(sbatch --parsable " << before->string() << ") " << file.string()
                      << std::endl;
        else if (before)
            std::cout << (file == files.front() ? "prompts=$(sbatch --parsable " + before->string() + ")\n" : "")
                      << "sbatch --dependency=afterok:$prompts " << file.string() << std::endl;
        else
            std::cout << "sbatch " << file.string() << std::endl;
    }
}

/// Runs that a grid with more seeds or rows adds to those in the folder.
struct AddedRuns {
    std::string what;  ///< "seeds 4 and 5"
    std::int64_t runs = 0, before = 0;
};

/// Runs that make() will add to the folder; absent: none. Throws Error(Input) where tasks of Slurm may still wait for
/// runs by numbers that would then be those of others.
std::optional<AddedRuns> addedRuns(const OptionTable& table, const SweepFolder& folder, const FoundGrid& found,
                                   const SweepPlan& plan, const SweepArguments& given) {
    if (!folder.smaller()) return std::nullopt;
    SweepPlan before = planSweep(table, folder.smaller()->grid, found.file, found.base);
    if (hasSlurmScripts(folder.path())) {
        if (const fs::path prompts = given.promptFolder(); !prompts.empty()) placePrompts(before, prompts);
        folder.place(before);
        const std::string refused = "The sweep in " + folder.path().string() + " was given to Slurm, ";
        const bool sameNumbers =
            std::ranges::equal(before.runs, std::span(plan.runs).first(before.runs.size()),
                               [&](const SweepRun& one, const SweepRun& other) {
                                   return before.lines[one.line].name == plan.lines[other.line].name &&
                                          one.experiment.seed == other.experiment.seed;
                               });
        if (!sameNumbers)
            throw inputError(refused + "whose tasks go by the numbers of its runs, and these would change.",
                             "Add only seeds, behind the others, or name a new folder.");
        const std::vector<SweepResult> results = folder.read(before);
        const auto unfinished =
            std::ranges::count_if(results, [](const SweepResult& one) { return one.state != RecordedState::Finished; });
        if (unfinished > 0)
            throw inputError(refused + "and " + counted(unfinished, "run has", "runs have") +
                                 " not finished, so nothing is added yet.",
                             "Let them finish first. If no task of it waits or runs any more, you may remove its "
                             "*.sbatch files instead.");
    }
    const std::int64_t runs = std::ssize(before.runs);
    return AddedRuns{folder.smaller()->added.text(), std::ssize(plan.runs) - runs, runs};
}

/// Says once that they are added.
void tell(const std::optional<AddedRuns>& added, const SweepFolder& folder, bool json) {
    if (!added) return;
    if (json)
        printLine({{"event", "runs_added"},
                   {"what", plainLine(added->what)},
                   {"runs", added->runs},
                   {"runs_before", added->before}});
    else
        std::cout << "The sweep in " << folder.path().string() << " gets " << plainLine(added->what) << ": "
                  << counted(added->runs, "run is", "runs are") << " added to the " << grouped(added->before)
                  << " that it has." << std::endl;
}

/// Writes job scripts with a task for every run that has not finished, or for several of them.
int writeSlurm(const OptionTable& table, SweepFolder& folder, const SweepArguments& given, const FoundGrid& found,
               const SweepPlan& plan) {
    SlurmJob job{slug("sweep-" + found.file.stem().string(), 40),
                 {},
                 given.slurm,
                 fs::read_symlink("/proc/self/exe"),
                 fs::absolute(found.file).lexically_normal(),
                 folder.path(),
                 given.prompts.empty() ? fs::path() : given.promptFolder(),
                 given.throttle,
                 given.runs_per_task};
    // Two programs may submit at one moment: the second then finds the scripts of the first.
    const bool scriptsBefore = hasSlurmScripts(folder.path());
    if (folder.holdsSweep()) folder.claimScripts();
    const std::vector<SweepResult> results = folder.read(plan);
    for (std::size_t i = 0; i < plan.runs.size(); ++i)
        if (results[i].state != RecordedState::Finished) job.runs.push_back(plan.runs[i].number);
    const bool prompts = std::ranges::any_of(job.runs, [&](std::int64_t number) {
        const SweepRun& run = plan.runs[static_cast<std::size_t>(number - 1)];
        return run.prompts && !promptsMade(run.experiment.initial_session.prompts);
    });
    if (job.runs.empty()) {
        std::cout << "All runs have finished; there is nothing to submit." << std::endl;
        return 0;
    }
    // Faults of the options are found here, before anything is made.
    const std::vector<std::string> scripts = slurmScripts(job, clusterArraySize());
    std::vector<std::size_t> places;
    for (const std::int64_t number : job.runs) places.push_back(static_cast<std::size_t>(number - 1));
    requireSweepFiles(table, plan, places, found.file);
    folder.requireSameSettings(plan);
    const std::optional<AddedRuns> added = addedRuns(table, folder, found, plan, given);
    if (added) folder.claim(false);
    folder.make(found);
    folder.claimScripts();
    if (!scriptsBefore && hasSlurmScripts(folder.path()))
        throw inputError("Another program has just given the sweep in " + folder.path().string() + " to Slurm.",
                         "--list says how its runs stand.");
    tell(added, folder, given.json);
    const std::vector<fs::path> files = writeScripts(folder, job, scripts);
    std::optional<fs::path> before;
    if (prompts) {
        job.runs.clear();
        before = writeScripts(folder, job, slurmScripts(job)).front();
    }
    // Slurm may begin a task before it has taken the last script.
    folder.release();
    try {
        submit(before, files, places.size(), given);
    } catch (const SlurmRefusal&) {
        std::vector<fs::path> written = files;
        if (before) written.push_back(*before);
        if (!scriptsBefore) folder.takeBack(written);
        throw;
    }
    return 0;
}

int runWith(const OptionTable& table, SweepFolder& folder, const SweepArguments& given, const FoundGrid& found,
            const SweepPlan& plan, SweepRunner::Settings settings) {
    // Running everything needs the folder alone; a single run shares it.
    const bool shared = !settings.tables;
    settings.grid = found.file;
    // The lock comes first, so that large weights are not read in vain.
    if (folder.holdsSweep()) folder.claim(shared);
    folder.requireSameSettings(plan);
    const std::optional<AddedRuns> added = addedRuns(table, folder, found, plan, given);
    settings.begin = [&, shared] {
        folder.make(found);
        folder.claim(shared);
        tell(added, folder, given.json);
    };
    SweepPrinter printer(plan, folder.path(), given.json);
    return SweepRunner(table, plan, folder, printer, std::move(settings)).run();
}

int runOnly(const OptionTable& table, SweepFolder& folder, const SweepArguments& given, const FoundGrid& found,
            const SweepPlan& plan) {
    SweepRunner::Settings settings;
    for (const std::int64_t number : parsedRanges(given.only, kMostSweepRuns, "--only")) {
        if (number > static_cast<std::int64_t>(plan.runs.size()))
            throw inputError(
                "There is no run " + std::to_string(number) + " among " + std::to_string(plan.runs.size()) + ".",
                "--list shows them.");
        settings.runs.push_back(static_cast<std::size_t>(number - 1));
    }
    settings.jobs = given.jobs;
    settings.tables = false;
    settings.makes_prompts = false;
    return runWith(table, folder, given, found, plan, std::move(settings));
}

int runAll(const OptionTable& table, SweepFolder& folder, const SweepArguments& given, const FoundGrid& found,
           const SweepPlan& plan) {
    SweepRunner::Settings settings;
    settings.jobs = given.jobs;
    settings.only_prompts = given.only_prompts;
    settings.runs = chosenRuns(plan, given.rows);
    return runWith(table, folder, given, found, plan, std::move(settings));
}

/// Submits a sweep on another machine, says how it stands there, or cancels its jobs.
int sweepThere(const SweepArguments& given, const RemotePlace& place, const FoundGrid& found, const SweepPlan& plan,
               bool slurm) {
    if (place.name().empty()) throw inputError("--on names no folder.", "Name one, as in ssh://HOST/data/sweep.");
    const int wanted = (slurm ? 1 : 0) + (given.list ? 1 : 0) + (given.cancel ? 1 : 0);
    if (wanted != 1)
        throw inputError("--on needs one of --slurm, --list and --cancel.",
                         "--slurm OPTIONS submits the sweep to the Slurm there.");
    const RemoteShell shell(place);
    const RemoteSweep sweep(place, given.cancel
                                       ? std::string()
                                       : findRemoteProgram(shell, given.program, PALIMPSEST_VERSION, noteOnStderr));
    if (given.list) {
        std::cout << sweep.list(given.json) << std::flush;
        return 0;
    }
    const std::vector<std::string> jobs =
        given.cancel
            ? sweep.cancel()
            : sweep.submit(found.file, plan, found.grid.base, {given.slurm, given.throttle, given.runs_per_task});
    if (given.json) {
        printLine({{"event", given.cancel ? "cancelled" : "submitted"}, {"place", place.text()}, {"jobs", jobs}});
        return 0;
    }
    const std::string words = counted(std::ssize(jobs), "job", "jobs");
    if (given.cancel)
        std::cout << (jobs.empty() ? "All jobs had ended." : "Cancelled " + words + ": " + enumeration(jobs) + ".")
                  << std::endl;
    else if (jobs.empty())
        std::cout << "All runs have finished; there is nothing to submit." << std::endl;
    else
        std::cout << "Slurm of " << place.host << " has " << words << ": " << enumeration(jobs)
                  << ".\nFollow it: palimpsest-cli follow " << shellQuoted(place.text()) << std::endl;
    return 0;
}

/// `--slurm --submit` would give a flag of this command to sbatch, and submit nothing.
void refuseOwnFlag(const CLI::App& command, const std::string& slurm) {
    const std::string first = slurm.substr(0, slurm.find_first_of(" ="));
    if (first.starts_with("--") && command.get_option_no_throw(first))
        throw inputError("--slurm is followed by " + first + ", which is no option of sbatch.",
                         "Write sbatch's options behind it, such as --slurm \"--partition=long --time=2:00:00\", or "
                         "--slurm \"\" for none.");
}

}  // namespace

void addSweep(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<SweepArguments>();
    CLI::App* command = app.add_subcommand("sweep", "Run an experiment in several versions, each with several seeds");
    addAllowLearner(*command);
    command->add_option("grid", given->grid, "A grid file or the name of one that comes with the program")
        ->type_name("GRID");
    command->add_option("--out", given->out, "Folder of the sweep; the same one again goes on with what is unfinished")
        ->type_name("DIR");
    auto* jobs = takesFrom(command
                               ->add_option("--jobs", given->jobs,
                                            "Runs at once, which share the processor's cores; otherwise one for each "
                                            "core, with one thread, as far as memory goes")
                               ->type_name("N"),
                           1, 1024);
    command
        ->add_option("--rows", given->rows,
                     "Only rows with this text in their name, such as CIFAR-100; the others stay")
        ->type_name("TEXT");
    auto* prompts =
        command
            ->add_option("--prompts", given->prompts,
                         "Folder of the prompts that initial sessions make, to share them with other sweeps; otherwise "
                         "DIR/prompts")
            ->type_name("FOLDER");
    auto* grids = command->add_flag("--list-grids", given->list_grids, "Print the grids that come with the program");
    auto* estimate = command->add_flag(
        "--estimate", given->estimate,
        "Say what is missing and what the sweep would take here, measured on a few images; runs nothing");
    auto* miniature = command->add_flag("--miniature", given->miniature,
                                        "Try every row on a few made images and a small backbone, to see that it runs");
    auto* onlyPrompts =
        command->add_flag("--only-prompts", given->only_prompts, "Make the prompts of initial sessions, run nothing");
    auto* list = command->add_flag("--list", given->list, "Print the runs, and with --out how they stand");
    auto* table = command->add_flag("--table", given->table, "Only make the tables anew from the runs there are");
    auto* only =
        command
            ->add_option("--only", given->only, "Only these runs of the list, such as 3 or 1-4,7, and write no tables")
            ->type_name("NUMBERS");
    auto* slurm = command
                      ->add_option("--slurm", given->slurm,
                                   "Run nothing, but write an array job for Slurm with these options of sbatch")
                      ->type_name("OPTIONS");
    takesFrom(command->add_option("--throttle", given->throttle, "With --slurm: at most N tasks at once")
                  ->type_name("N")
                  ->needs(slurm),
              1, kMostSweepRuns);
    takesFrom(command
                  ->add_option("--runs-per-task", given->runs_per_task,
                               "With --slurm: N runs in a task, at once, which share its processors or its GPU")
                  ->type_name("N")
                  ->needs(slurm),
              1, 1024);
    auto* on = command
                   ->add_option("--on", given->on,
                                "The folder of the sweep on another machine, ssh://[USER@]HOST[:PORT]/PATH, in place "
                                "of --out: with --slurm it is submitted there, --list and --cancel are about it")
                   ->type_name("PLACE");
    command
        ->add_option("--program", given->program, "With --on: the palimpsest-cli there, if it is not found by itself")
        ->type_name("FILE")
        ->needs(on);
    command->add_flag("--cancel", given->cancel, "With --on: cancel the jobs that were submitted by it")
        ->needs(on)
        ->excludes(list)
        ->excludes(slurm);
    for (CLI::Option* elsewhere : {jobs, prompts, grids, estimate, miniature, onlyPrompts, table, only,
                                   command->get_option("--out"), command->get_option("--rows")})
        on->excludes(elsewhere);
    command->add_flag("--submit", given->submit, "With --slurm: submit the job, too")->needs(slurm);
    command->add_flag("--json", given->json, "Print one JSON object a line");
    list->excludes(table)->excludes(only)->excludes(slurm);
    table->excludes(only)->excludes(slurm);
    only->excludes(slurm);
    slurm->excludes(jobs);
    for (CLI::Option* alone : {grids, estimate})
        alone->excludes(list)->excludes(table)->excludes(only)->excludes(slurm);
    onlyPrompts->excludes(list)->excludes(table)->excludes(only)->excludes(slurm)->excludes(estimate);
    miniature->excludes(slurm)->excludes(estimate)->excludes(prompts);
    command->footer(
        "Ctrl-C ends every run at its next batch; what has finished stays, and the same command goes on with the "
        "rest.\n"
        "Exit codes: 0 finished, or stopped; 1 a run failed (the others went on); 2 wrong input; 85 with --only or\n"
        "--only-prompts: stopped before it had finished.");
    shell.onChosen(*command, [&shell, command, given, only, slurm] {
        const OptionTable& options = shell.table();
        refuseOwnFlag(*command, given->slurm);
        const std::optional<RemotePlace> there =
            given->on.empty() ? std::nullopt : std::optional(parseRemotePlace(given->on));
        if (there || slurm->count() > 0) refuseAllowLearnerElsewhere(*command, there ? &*there : nullptr);
        if (given->list_grids) return listGrids(options, given->json);
        if (given->grid.empty()) throw inputError("No grid is named.", "--list-grids prints those there are.");
        const bool reads = (given->list || given->table) && !given->out.empty();
        const FoundGrid found = reads ? gridToRead(options, given->grid, given->out) : readGrid(options, given->grid);
        SweepPlan plan = planSweep(options, found.grid, found.file, found.base);
        if (given->miniature && given->out.empty())
            throw inputError("--out names no folder.", "Name one for the miniature's data, runs and tables.");
        if (there) return sweepThere(*given, *there, found, plan, slurm->count() > 0);
        if (const fs::path prompts = given->promptFolder(); !prompts.empty()) placePrompts(plan, prompts);
        if (given->estimate) {
            const std::vector<std::size_t> chosen = chosenRuns(plan, given->rows);
            requireSweepLearners(options, plan, chosen, found.file);
            return estimateSweep(options, plan, chosen, given->json);
        }
        if (given->list) return listRuns(options, *given, found, plan);
        if (given->out.empty()) {
            throw inputError("--out names no folder.", "Name one for the sweep's runs and tables.");
        }
        SweepFolder folder(options, given->out, found, only->count() > 0 ? MoreRuns::Refused : MoreRuns::Welcome);
        // The runs of a miniature are recognised by its settings.
        if (given->miniature) prepareMiniature(options, *given, plan);
        folder.place(plan);
        if (given->table) return makeTables(folder, *given, plan);
        if (slurm->count() > 0) return writeSlurm(options, folder, *given, found, plan);
        return only->count() > 0 ? runOnly(options, folder, *given, found, plan)
                                 : runAll(options, folder, *given, found, plan);
    });
}

}  // namespace palimpsest
