// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/cli/output.h"
#include "app/cli/value_checks.h"
#include "app/commands/commands.h"
#include "app/commands/import.h"
#include "engine/library/run_family.h"
#include "engine/library/run_index.h"
#include "engine/library/run_query.h"
#include "engine/record/feature_map.h"
#include "engine/record/guess.h"
#include "engine/record/image_lives.h"
#include "engine/record/run_check.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

struct RunsArguments {
    std::string folder;
    std::string search;
    bool json = false;
    std::vector<std::string> checked;
    bool repair = false;
    std::string forgetful, mapped;
    std::vector<std::string> guessed;
    bool csv = false;
    std::int64_t at = -1;
};

fs::path runsFolder(const std::string& named) {
    std::error_code ignored;
    if (!named.empty() && !fs::is_directory(named, ignored))
        throw inputError("There is no folder " + named + ".", "Name a folder that holds run folders.");
    return named.empty() ? defaultRunsFolder() : fs::path(named);
}

Json changesOf(const RunRow& row) {
    Json changes = Json::array();
    for (const LiveChange& change : row.changes)
        changes.push_back({{"samples_seen", change.at}, {"key", change.key}, {"value", change.value}});
    return changes;
}

Json describedRun(const RunRow& row) {
    return {{"folder", row.folder.string()},
            {"name", row.name},
            {"state", toText(row.state)},
            {"method", orNull(row.method)},
            {"learner", orNull(row.program)},
            {"mask", orNull(row.mask)},
            {"changes", changesOf(row)},
            {"prompts", orNull(row.prompts)},
            {"prompt_lengths", row.prompt_lengths},
            {"preset", orNull(row.preset.preset)},
            {"differs", row.preset.settings},
            {"dataset", orNull(row.dataset)},
            {"memory", row.memory},
            {"seed", row.seed},
            {"started", orNull(row.started)},
            {"a_auc", orNull(row.a_auc)},
            {"a_last_overall", orNull(row.a_last_overall)},
            {"f_last_classwise", orNull(row.f_last_classwise)},
            {"a_last", orNull(row.a_last)},
            {"f_last", orNull(row.f_last)},
            {"whole", endIsFinal(row)},
            {"family", row.family},
            {"fingerprint", orNull(row.fingerprint)},
            {"tags", row.notes.tags},
            {"note", row.notes.note},
            {"hidden", row.notes.hidden}};
}

/// Text such as "A_AUC 67.7 %  A_Last 54.1 %  F_Last 12.0 %": the numbers of published tables.
std::string numbersText(const RunRow& row) {
    std::string text = "A_AUC " + perCentColumn(row.a_auc);
    const bool whole = endIsFinal(row);
    text += "  A_Last " + perCentColumn(whole ? row.a_last_overall : std::nullopt) + "  F_Last ";
    // Logs of other programs mostly tell no classes.
    const bool bySession = row.imported() && !row.f_last_classwise && row.f_last;
    return text +
           perCentColumn(bySession ? row.f_last
                         : whole   ? row.f_last_classwise
                                   : std::nullopt) +
           (bySession ? " by session" : "");
}

/// Differences of a run from the preset it is named after, and the lengths of its prompts.
std::string factsText(const RunRow& row) {
    const std::string differences = differencesText(row.preset), prompts = promptLengthsText(row.prompt_lengths);
    return differences + (differences.empty() || prompts.empty() ? "" : "; ") + prompts;
}

void print(const RunRow& row) {
    std::cout << numbersText(row) << "  " << plainSentence(row.name) << ", seed " << row.seed;
    if (row.state != RecordedState::Finished) std::cout << ", " << toText(row.state);
    for (const std::string& tag : row.notes.tags) std::cout << " #" << tag;
    std::cout << "\n    " << plainSentence(row.folder.string()) << "\n";
    const std::string facts = factsText(row);
    if (!facts.empty()) std::cout << "    " << plainSentence(facts) << "\n";
    if (!row.notes.note.empty()) std::cout << "    " << plainSentence(row.notes.note) << "\n";
}

void complain(RunIndex& index, const RunIndex::Scan& scan) {
    if (const std::string notice = index.takeNotice(); !notice.empty()) std::cerr << notice << "\n";
    for (const std::string& sentence : scan.unlisted)
        std::cerr << plainSentence(sentence) << " What was known of its runs is listed.\n";
    for (const std::string& sentence : scan.unreadable) std::cerr << plainSentence(sentence) << " It is left out.\n";
    for (const auto& record : scan.read)
        for (const std::string& warning : record->warnings)
            std::cerr << plainSentence(record->folder.string() + ": " + warning) << "\n";
}

int listRuns(const OptionTable& table, const RunsArguments& given) {
    const fs::path folder = runsFolder(given.folder);
    RunIndex index(&table, folder);
    RunIndex::Scan scan = index.reconcile();
    complain(index, scan);
    std::sort(scan.rows.begin(), scan.rows.end(), [](const RunRowPtr& a, const RunRowPtr& b) {
        return std::tie(a->started, a->folder) > std::tie(b->started, b->folder);
    });
    const RunQuery query(given.search);
    for (const RunQuery::Term& term : query.terms())
        if (!term.problem.empty())
            throw inputError("The search \"" + shortLine(term.written) + "\" cannot be understood.", term.problem);
    std::int64_t shown = 0, all = 0;
    for (const RunRowPtr& row : scan.rows) {
        if (row->trashed) continue;
        ++all;
        if (!query.matches(*row)) continue;
        ++shown;
        if (given.json)
            printLine(describedRun(*row));
        else
            print(*row);
    }
    if (given.json) return 0;
    if (shown < all)
        std::cout << grouped(shown) << " of " << counted(all, "run", "runs");
    else
        std::cout << counted(all, "run", "runs");
    std::cout << " in " << folder.string() << "\n";
    return 0;
}

int rebuild(const OptionTable& table, const RunsArguments& given) {
    const fs::path folder = runsFolder(given.folder);
    RunIndex index(&table, folder);
    index.clear();
    const RunIndex::Scan scan = index.reconcile();
    complain(index, scan);
    const auto runs =
        std::count_if(scan.rows.begin(), scan.rows.end(), [](const RunRowPtr& row) { return !row->trashed; });
    if (given.json)
        printLine(
            {{"index", RunIndex::fileOf(folder).string()}, {"runs", runs}, {"unreadable", scan.unreadable.size()}});
    else
        std::cout << "The index of " << folder.string() << " was made anew from " << counted(runs, "run", "runs")
                  << ".\n";
    return 0;
}

/// The runs that are named, and those in the folders that are named, as far as these are `wanted`.
template <class Wanted>
std::vector<fs::path> runFoldersOf(const std::vector<std::string>& named, const std::string& what, Wanted wanted) {
    std::vector<fs::path> runs;
    std::error_code ignored;
    for (const std::string& one : named.empty() ? std::vector{defaultRunsFolder().string()} : named) {
        if (fs::exists(fs::symlink_status(fs::path(one) / "run.json", ignored))) {
            runs.emplace_back(one);
            continue;
        }
        std::vector<fs::path> below;
        for (const fs::path& folder : plainFoldersIn(runsFolder(one)))
            if (fs::exists(fs::symlink_status(folder / "run.json", ignored)) && wanted(folder)) below.push_back(folder);
        if (below.empty() && !named.empty())
            throw inputError(one + " is neither a run nor a folder of " + what + ".",
                             "A run folder holds a file run.json.");
        std::sort(below.begin(), below.end());
        runs.insert(runs.end(), below.begin(), below.end());
    }
    return runs;
}

/// A run of a folder of runs that is going on is no mistake.
std::vector<fs::path> runsToCheck(const std::vector<std::string>& named) {
    return runFoldersOf(named, "runs that have ended",
                        [](const fs::path& run) { return readRunState(run) != RecordedState::Running; });
}

/// Returns true where damage remains.
bool checkOne(const OptionTable& table, const fs::path& folder, const RunsArguments& given) {
    const RunCheck check = checkRun(table, folder);
    fs::path aside;
    std::string unrepaired;
    if (given.repair && !check.damage.empty()) {
        try {
            aside = repairRun(check);
        } catch (const Error& error) {
            unrepaired = error.sentence();
        }
    }
    if (given.json) {
        printLine({{"folder", folder.string()},
                   {"sound", check.damage.empty()},
                   {"damage", check.damage},
                   {"notes", check.notes},
                   {"checkpoints", check.checkpoints},
                   {"newest_sound", check.newest_sound ? Json(*check.newest_sound) : Json(nullptr)},
                   {"set_aside", orNull(aside.string())},
                   {"error", orNull(unrepaired)}});
        return !check.damage.empty() && aside.empty();
    }
    std::cout << plainSentence(folder.string()) << ": ";
    if (check.damage.empty())
        std::cout << "sound, " << counted(check.checkpoints, "checkpoint", "checkpoints") << "\n";
    else
        std::cout << "damaged\n";
    for (const std::string& sentence : check.damage) std::cout << "    " << plainSentence(sentence) << "\n";
    for (const std::string& sentence : check.notes) std::cout << "    Note: " << plainSentence(sentence) << "\n";
    if (check.damage.empty()) return false;
    if (!aside.empty()) {
        std::cout << "    Set aside in " << plainSentence(aside.string()) << ".\n";
        if (check.measured_damaged)
            std::cout << "    The run stands at " << grouped(*check.newest_sound)
                      << " samples now; `palimpsest-cli run --resume` goes on from there.\n";
    } else if (!unrepaired.empty()) {
        std::cout << "    " << unrepaired << "\n";
    } else if (check.newest_sound) {
        std::cout << "    It is sound up to its checkpoint at " << grouped(*check.newest_sound) << " samples"
                  << (check.repairable() ? "; --repair sets aside what is damaged.\n" : ".\n");
    } else {
        std::cout << "    None of its checkpoints is sound.\n";
    }
    return aside.empty();
}

int checkRuns(const OptionTable& table, const RunsArguments& given) {
    bool damaged = false;
    const std::vector<fs::path> runs = runsToCheck(given.checked);
    for (const fs::path& run : runs) damaged = checkOne(table, run, given) || damaged;
    if (!given.json && runs.size() != 1) std::cout << counted(std::ssize(runs), "run", "runs") << " checked\n";
    return damaged ? 1 : 0;
}

int listForgotten(const OptionTable& table, const RunsArguments& given) {
    const RunRecord record = readRun(table, given.forgetful);
    const ImageLives lives = readImageLives(record.folder);
    const std::size_t moment = given.at < 0 ? lives.moments.size() - 1 : lives.momentUpTo(given.at);
    if (moment >= lives.moments.size())
        throw inputError("The run was not evaluated before " + grouped(given.at) + " images.",
                         "Its first evaluation is at " + grouped(lives.moments.front()) + ".");
    const std::vector<ForgottenImage> images = forgottenImages(lives, moment);
    const auto name = [&](std::int32_t label) -> std::string {
        return label < 0 ? "a class that has not come yet" : className(record, label);
    };
    if (given.json) {
        Json list = Json::array();
        for (const ForgottenImage& image : images)
            list.push_back({{"image", image.image},
                            {"class", image.label},
                            {"right_until", image.right_until},
                            {"wrong_since", image.wrong_since},
                            {"answer", image.answer < 0 ? Json(nullptr) : Json(image.answer)}});
        printLine({{"samples_seen", lives.moments[moment]},
                   {"test_images", lives.images()},
                   {"evaluations_left_out", lives.left_out},
                   {"forgotten", list}});
        return 0;
    }
    std::cout << "After " << grouped(lives.moments[moment])
              << " images, right once and wrong now: " << grouped(std::ssize(images)) << " of "
              << grouped(static_cast<std::int64_t>(lives.images())) << " test images\n";
    if (lives.left_out > 0)
        std::cout << "  Evaluations that are left out, since they cannot be read or are too many: "
                  << grouped(static_cast<std::int64_t>(lives.left_out)) << "\n";
    for (const ForgottenImage& image : images)
        std::cout << "  " << image.image << "  " << plainLine(name(image.label)) << ", right until "
                  << grouped(image.right_until) << ", taken for " << plainLine(name(image.answer)) << "\n";
    return 0;
}

Json scored(const Guess& guess, const RunRecord& record, GuessedCurve curve) {
    const std::optional<GuessScore> score = guessScore(guess.of(curve), measuredOf(record, curve));
    if (!score) return nullptr;
    return {{"distance", score->distance},
            {"points", score->points},
            {"farthest",
             {{"place", score->farthest.place}, {"guessed", score->expected}, {"measured", score->farthest.accuracy}}}};
}

void printGuess(const fs::path& run, const Guess& guess, const RunRecord& record, bool json) {
    if (json)
        return printLine({{"folder", run.string()},
                          {"name", record.experiment.name},
                          {"seed", record.experiment.seed},
                          {"anytime", scored(guess, record, GuessedCurve::Anytime)},
                          {"retention", scored(guess, record, GuessedCurve::Retention)}});
    std::cout << plainLine(run.filename().string()) << "  " << plainLine(record.experiment.name) << "\n";
    for (const auto& [curve, title] :
         {std::pair(GuessedCurve::Anytime, "anytime accuracy"), std::pair(GuessedCurve::Retention, "session 1")}) {
        if (guess.of(curve).empty()) continue;
        const std::optional<GuessScore> score = guessScore(guess.of(curve), measuredOf(record, curve));
        std::cout << "  " << title << ": " << (score ? guessSentence(curve, *score) : "nothing was measured there yet")
                  << "\n";
    }
}

int printFeatures(const OptionTable& table, const RunsArguments& given) {
    const RunRecord record = readRun(table, given.mapped);
    const FeatureMap map = readFeatureMap(given.mapped);
    for (const std::string& warning : map.warnings) std::cerr << "palimpsest-cli: " << warning << "\n";
    if (map.empty())
        throw inputError("The run " + given.mapped + " recorded no features.",
                         "An older version wrote it, or its method shows none; start it again to record them.");
    const auto next = given.at < 0 ? std::next(map.moments.begin()) : std::ranges::upper_bound(map.moments, given.at);
    const std::ptrdiff_t basis = std::max<std::ptrdiff_t>(0, next - map.moments.begin() - 1);
    std::vector<std::string> names;
    for (const std::int32_t label : map.classes) {
        const auto place = static_cast<std::size_t>(label);
        names.push_back(place < record.class_names.size() ? record.class_names[place] : std::to_string(label));
    }
    std::cout << featureTable(map, pictureOf(map, static_cast<std::size_t>(basis)), names);
    return 0;
}

int listGuesses(const OptionTable& table, const RunsArguments& given) {
    std::vector<std::string> unread;
    const std::vector<fs::path> runs = runFoldersOf(given.guessed, "runs", [](const fs::path&) { return true; });
    if (given.csv) {
        std::cout << guessTable(table, runs, &unread);
    } else {
        std::size_t found = 0;
        for (const fs::path& run : runs) {
            try {
                const Guess guess = readGuess(run);
                if (guess.empty()) continue;
                printGuess(run, guess, readRun(table, run), given.json);
                ++found;
            } catch (const Error& error) {
                unread.emplace_back(error.what());
            }
        }
        if (found == 0 && unread.empty() && !given.json) std::cout << "No run here was guessed.\n";
    }
    for (const std::string& sentence : unread) std::cerr << "palimpsest-cli: " << sentence << "\n";
    return unread.empty() ? 0 : 1;
}

}  // namespace

void addRuns(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<RunsArguments>();
    CLI::App* command = app.add_subcommand("runs", "List the runs of a folder and what they recorded");
    command->add_option("folder", given->folder, "Folder of runs; without it, that of the window")->type_name("FOLDER");
    command
        ->add_option(
            "--search", given->search,
            "Only runs with all these words; tag:x, method:x, mask:x, data:x, state:x and note:x look in one place, "
            "seed:1..5, a_auc:>30 and date:>=2026-11-20 ask for numbers and days, a minus before a word "
            "leaves its runs out")
        ->type_name("WORDS");
    command->add_flag("--json", given->json, "Print one JSON object a run");

    CLI::App* rebuilding = command->add_subcommand("rebuild", "Make the index of the folder anew");
    rebuilding->add_option("folder", given->folder, "Folder of runs; without it, that of the window")
        ->type_name("FOLDER");
    rebuilding->add_flag("--json", given->json, "Print one JSON object");

    CLI::App* checking =
        command->add_subcommand("check", "Compare the files of runs with what their checkpoints recorded");
    checking->add_option("runs", given->checked, "Run folders, or folders of runs; without any, that of the window")
        ->type_name("RUN|FOLDER...");
    checking->add_flag("--repair", given->repair,
                       "Set damaged files aside and go back to the newest sound checkpoint; nothing is deleted");
    checking->add_flag("--json", given->json, "Print one JSON object a run");
    checking->footer("Exit codes: 0 all is sound, or was repaired; 1 something is damaged; 2 wrong input.");

    CLI::App* importing =
        command->add_subcommand("import", "Make runs of tables and logs that other programs wrote, as `import` does");
    const std::shared_ptr<ImportArguments> import = addImportArguments(*importing);

    CLI::App* forgotten = command->add_subcommand(
        "forgotten", "List the test images that a run recognised once and no longer does, the newest loss first");
    forgotten->add_option("run", given->forgetful, "Run folder")->type_name("RUN")->required();
    takesAtLeast(
        forgotten->add_option("--at", given->at, "At the last evaluation up to so many images; without it, at the end")
            ->type_name("N"),
        0);
    forgotten->add_flag("--json", given->json, "Print one JSON object");

    CLI::App* features = command->add_subcommand(
        "features", "Print the feature map of a run as a table: places of test images and of the head's rows");
    features->add_option("run", given->mapped, "Run folder")->type_name("RUN")->required();
    takesAtLeast(
        features
            ->add_option("--at", given->at,
                         "Fit the axes to the last evaluation up to so many images; without it, to the first one")
            ->type_name("N"),
        0);

    CLI::App* guesses = command->add_subcommand(
        "guesses", "List what was guessed of runs before they were seen, and how far off it was");
    guesses->add_option("runs", given->guessed, "Run folders, or folders of runs; without any, that of the window")
        ->type_name("RUN|FOLDER...");
    CLI::Option* csv = guesses->add_flag("--csv", given->csv, "Print a table of every measured point and its guess");
    guesses->add_flag("--json", given->json, "Print one JSON object a run")->excludes(csv);

    shell.onChosen(*command, [&shell, given, rebuilding, checking, importing, import, forgotten, features, guesses] {
        if (guesses->parsed()) return listGuesses(shell.table(), *given);
        if (features->parsed()) return printFeatures(shell.table(), *given);
        if (forgotten->parsed()) return listForgotten(shell.table(), *given);
        if (checking->parsed()) return checkRuns(shell.table(), *given);
        if (rebuilding->parsed()) return rebuild(shell.table(), *given);
        if (importing->parsed()) return importFiles(shell.table(), *import);
        return listRuns(shell.table(), *given);
    });
}

}  // namespace palimpsest
