// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "engine/record/checkpoints.h"
#include "engine/record/feature_map.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "tests/fuzz/option_table.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_resumed_run {
namespace {

/// What a run that goes on tells its folder.
void goOn(RunFolderWriter& writer) {
    RunStarted started;
    started.warnings = {"A checkpoint was passed over."};
    writer.onStarted(started);
    writer.addVersion("palimpsest", "0.1.0");
    writer.setSharedPast(writer.sharedPast());
    writer.addState(600, "ab");
    writer.recordCommand(600, "pause", "");
    UpdateDone update;
    update.samples_seen = 600;
    writer.onUpdate(update);
    for (const std::int64_t count : {2, 25, 100}) {
        ImageLeftOut image;
        image.text = "An image could not be read.";
        image.unreadable_images = count;
        writer.onImageLeftOut(image);
    }
    writer.recordWatched(600, {{2, 2, 0.5}, {2, kNoClassYet, 0.25}, {9, 1, 1}});
    FeatureMoment moment;
    moment.samples_seen = 600;
    moment.width = 2;
    moment.rows = {{4, 7}, {4, FeatureMoment::kHead}};
    moment.values = {1, 2, 3, 4};
    if (writer.wantsFeatures(moment, 1200)) writer.recordFeatures(moment, 1200);
    Evaluated evaluation;
    evaluation.samples_seen = 600;
    if (writer.wantsTopClasses(600, 2, 1200))
        evaluation.top_classes = std::make_shared<const std::vector<TopClasses>>(2);
    writer.onEvaluated(evaluation);
    MemoryHeld held;
    held.samples_seen = 600;
    held.seen_classes = {0};
    held.kept = std::vector<KeptSample>{{3, 0}};
    writer.onMemory(held);
    SessionEnded session;
    session.samples_seen = 1200;
    session.accuracies = {{0, 0.5, 10}};
    writer.onSessionEnded(session);
    writer.mark();
    writer.onEnded(RunEnded());
}

}  // namespace

/// A run that is resumed from the description of a checkpoint, as far as its folder goes.
FUZZ_TARGET(resumed_run, 200) {
    static fuzz::InputFolder run({"checkpoints/00000500.json", "run.json", "experiment.toml", "anytime.csv",
                                  "sessions.csv", "classes.csv", "training.csv", "commands.csv", "memory.csv",
                                  "predictions/labels.npy", "predictions/00000600.npy", "predictions.csv",
                                  "predictions/top-00000500.npy", "predictions/top-00000600.npy", "watched.csv",
                                  "features.csv"});
    run.clear();
    run.fill(input);
    fuzz::answers([&] {
        const CheckpointRecord record = readCheckpointRecord(checkpointDescription(run.path(), 500));
        const auto writer = RunFolderWriter::reopen(fuzz::optionTable(), run.path(), record.mark);
        goOn(*writer);
        fuzz::requireLine(writer->failure());
        const RunRecord again = readRun(fuzz::optionTable(), run.path());
        fuzz::require(again.state == RecordedState::Finished, "a run that ended is not finished");
    });
}

}  // namespace palimpsest::fuzz_resumed_run
