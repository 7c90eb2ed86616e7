// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/checkpoints.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_checkpoint_record {

FUZZ_TARGET(checkpoint_record, 1500) {
    static fuzz::InputFolder run({"checkpoints/00000100.json", "checkpoints/00000100.safetensors", "anytime.csv"});
    run.fill(input);
    fuzz::requireLine(checkpointsNear(run.path(), 50));
    for (const std::int64_t samples : listCheckpoints(run.path()))
        fuzz::answers([&] {
            const CheckpointRecord record = readCheckpointRecord(checkpointDescription(run.path(), samples));
            fuzz::requireLine(checkpointDamage(run.path(), record));
            // Errors make one line of it.
            factDifferences(record.facts, {{"method.name", "er"}});
            endsStream(record);
        });
    fuzz::answers([&] { fuzz::requireLines(newestSoundCheckpoint(run.path()).passed_over); });
    fuzz::answers([&] { newestForkableCheckpoint(run.path()); });
}

}  // namespace palimpsest::fuzz_checkpoint_record
