// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_notes.h"
#include "engine/library/run_row.h"
#include "engine/record/feature_map.h"
#include "engine/record/guess.h"
#include "engine/record/image_lives.h"
#include "engine/record/recorded_events.h"
#include "engine/record/resumable.h"
#include "engine/record/run_check.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"
#include "engine/record/watched.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_run_folder {
namespace {

/// Everything that the window, a report and the command line read of a run.
void readAll(const OptionTable& table, const std::filesystem::path& folder) {
    readRunState(folder);
    if (const std::optional<LearnerWait> wait = readLearnerWait(folder)) fuzz::requireLine(wait->learner);
    fuzz::answers([&] {
        const RunRecord record = readRun(table, folder);
        fuzz::requireLines(record.warnings);
        fuzz::requireLines(record.origin.warnings);
        fuzz::requireLines(record.origin.source);
        fuzz::requireLine(record.origin.versions);
        for (const std::string& words : {record.error, record.started, record.ended, record.device, record.precision})
            fuzz::requireLine(words);
        fuzz::requireLines(record.class_names);
        sessionEnds(record);
        const RunRow row = rowOf(table, record);
        for (const std::string& words : {row.name, row.error, row.started, row.ended, row.fingerprint})
            fuzz::requireLine(words);
        fuzz::requireLines(readHistory(folder, record.class_names.size()).warnings);
    });
    fuzz::answers([&] {
        const RecordedEvents events(table, folder, 1);
        RunObserver nobody;
        for (std::size_t moment = 0; moment < events.moments().size(); ++moment) events.send(moment, nobody);
    });
    fuzz::answers([&] { readGuess(folder); });
    fuzz::answers([&] {
        const RunCheck check = checkRun(table, folder);
        fuzz::requireLines(check.damage);
        fuzz::requireLines(check.notes);
    });
    for (const WatchedImage& image : readWatched(folder))
        for (const WatchedMoment& moment : image.moments)
            fuzz::require(moment.shares.at(0).label == image.label && moment.best().probability <= 1,
                          "a watched image without its own class");
    fuzz::answers([&] { fuzz::requireLines(readFeatureMap(folder).warnings); });
    fuzz::answers([&] {
        const ImageLives lives = readImageLives(folder);
        const ImageTopClasses top = readTopClassesOf(folder, lives.moments, {0, 2, 1'000'000});
        fuzz::require(top.size() == 3 && top[2].size() == lives.moments.size(), "moments that are not there");
    });
    neverLearned(table, folder);
    fuzz::answers([&] { resumableExperiment(table, folder); });
    fuzz::answers([&] { repeatableExperiment(table, folder); });
}

}  // namespace

FUZZ_TARGET(run_folder, 300) {
    static fuzz::InputFolder run({"run.json",
                                  "experiment.toml",
                                  "summary.json",
                                  "anytime.csv",
                                  "sessions.csv",
                                  "classes.csv",
                                  "training.csv",
                                  "commands.csv",
                                  "early.csv",
                                  "reference.csv",
                                  "memory.csv",
                                  "prompts.csv",
                                  "predictions.csv",
                                  "predictions/labels.npy",
                                  "predictions/00000500.npy",
                                  "checkpoints/00000500.json",
                                  "routing.csv",
                                  "pushes.csv",
                                  "guess.csv",
                                  "watched.csv",
                                  "features.csv",
                                  "predictions/top-00000500.npy"});
    run.fill(input);
    readAll(fuzz::optionTable(), run.path());
}

}  // namespace palimpsest::fuzz_run_folder
