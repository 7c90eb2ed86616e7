// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/data/unreadable_images.h"
#include "engine/network/compute.h"
#include "engine/record/checkpoints.h"
#include "engine/record/run_folder_writer.h"
#include "engine/support/error.h"
#include "engine/train/online_loop.h"
#include "engine/train/run_recorder.h"

namespace palimpsest {

/// Keeps the state of a run in its folder, and restores it.
class RunCheckpoints {
public:
    struct Setup {
        RunFolderWriter& folder;
        OnlineLoop& loop;
        RunRecorder& recorder;
        UnreadableImages &train, &test;
        CheckpointFacts facts;
        std::int64_t budget = 0;  ///< bytes that checkpoints may take; 0: none are kept
        at::Device device = at::kCPU;
    };
    explicit RunCheckpoints(Setup setup) : setup_(std::move(setup)) {}

    /// Between two batches. `evaluated`: the state's hash goes to run.json. A disk without room gives up older
    /// checkpoints; where that is not enough, the folder says so and the run waits.
    void save(bool evaluated);
    /// Holds the state as it is in memory, for saveHeld().
    void hold();
    /// Writes the state that was held last, and lets go of it, as save(false) writes a state. What was recorded since
    /// belongs to no checkpoint.
    void saveHeld();
    /// Before the loop runs, what savedState() read. Throws Error(Input) when it does not fit.
    void restore(TensorsByName saved);

private:
    /// Contents of a checkpoint, and what is recorded of it.
    struct Moment {
        TensorsByName tensors;
        std::string hash;         ///< of the tensors
        CheckpointRecord record;  ///< as far as the file of tensors decides nothing of it
        bool marked = false;      ///< record.mark is that moment's, rather than still to be taken
    };
    void visit(StateArchive& archive);
    Moment present();
    void keep(Moment moment);
    /// The error that kept a checkpoint from the disk; absent: it was written. Lack of memory is thrown: a run waits
    /// for room on the disk alone.
    std::optional<Error> failureToWrite(const Moment& moment);
    void write(const Moment& moment);
    bool roomIsShort(const TensorsByName& tensors) const;

    Setup setup_;
    std::optional<Moment> held_;
};

/// Facts that must be the same to continue from a checkpoint of this run: program, library, device, precision, threads,
/// backbone, stream, and every option that decides a number.
CheckpointFacts checkpointFacts(const OptionTable& table, const Experiment& experiment, const Compute& compute,
                                const std::string& fingerprint);

/// Throws Error(Input) with what differs when the run cannot be resumed as it began.
void requireSameRun(const std::filesystem::path& folder, const CheckpointFacts& saved, const CheckpointFacts& now);
/// Likewise when it cannot be forked as `experiment`. `changed`: in the run, on its way to the checkpoint. Returns what
/// the fork changes at once: options that take effect at a batch border, and that differ from what the run had then.
std::vector<LiveChange> requireForkable(const OptionTable& table, const Experiment& experiment,
                                        const std::filesystem::path& folder, const CheckpointRecord& from,
                                        CheckpointFacts now, const std::vector<LiveChange>& changed);
/// The tensors of a checkpoint. Throws Error(Input) when they cannot be read.
TensorsByName savedState(const std::filesystem::path& run, const CheckpointRecord& record);

}  // namespace palimpsest
