// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_checkpoints.h"

#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/network/weights.h"
#include "engine/record/checkpoints.h"
#include "engine/support/clock.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// True for options that say where something lies or how fast it goes, and for those that the stream's fingerprint
/// covers.
bool decidesNothing(const std::string& key, bool imported, bool onGpu) {
    if (imported && (key == "stream.edits" || key == "stream.sessions")) return true;
    if (!onGpu && key.starts_with("gpu.")) return true;
    return key == "name" || key == "stream.cache" || key == "stream.index_list" || key == "evaluation.checkpoints" ||
           key == "evaluation.early_look" || key == "backbone.weights" || key == "gpu.read_late";
}

/// Options under their titles, too: "Sessions (stream.sessions)".
CheckpointFacts named(const OptionTable& table, const CheckpointFacts& facts) {
    CheckpointFacts result;
    for (const auto& [key, value] : facts) {
        const Option* option = table.find(key);
        result[option ? option->title + " (" + key + ")" : key] = value;
    }
    return result;
}

/// Removes a file in the end, whatever happens, unless it has got another name.
struct RemovedFile {
    const fs::path& file;
    ~RemovedFile() {
        std::error_code ignored;
        fs::remove(file, ignored);
    }
};

/// False for options that decide what is built, and what comes when.
bool mayDifferInFork(const Option& option) {
    const std::string section = option.section();
    return section == "mask" || (section == "memory" && option.key != "memory.kind") || section == "evaluation" ||
           (section == "method" && option.key != "method.name") ||
           (section == "training" && option.key != "training.batch_size" && option.key != "training.optimizer");
}

}  // namespace

CheckpointFacts checkpointFacts(const OptionTable& table, const Experiment& experiment, const Compute& compute,
                                const std::string& fingerprint) {
    CheckpointFacts facts{
        {"the stream's fingerprint", fingerprint},
        {"the backbone's digest", backboneDigest(experiment.backbone, static_cast<std::uint64_t>(experiment.seed))},
        {"the program's version", PALIMPSEST_VERSION},
        {"LibTorch's version", libtorchVersion()}};
    const bool imported = experiment.stream.isImported();
    for (const Option& option : table.options())
        if (!decidesNothing(option.key, imported, compute.device.is_cuda()))
            facts[option.key] = table.text(experiment, option);
    facts["device"] = compute.deviceName();
    facts["precision"] = compute.precisionName();
    if (compute.type == at::kBFloat16 && compute.device.is_cpu()) facts["bfloat16"] = bfloat16Kernels();
    facts["threads"] = std::to_string(compute.threads);
    return facts;
}

void RunCheckpoints::visit(StateArchive& archive) {
    archive.within("loop", [&] { setup_.loop.keep(archive); });
    archive.within("metrics", [&] { setup_.recorder.keep(archive); });
    archive.within("left_out.train", [&] { setup_.train.keep(archive); });
    archive.within("left_out.test", [&] { setup_.test.keep(archive); });
}

RunCheckpoints::Moment RunCheckpoints::present() {
    Moment moment;
    StateArchive archive;
    visit(archive);
    moment.tensors = archive.tensors();
    moment.record.samples_seen = setup_.loop.samplesSeen();
    moment.record.session = setup_.loop.session();
    moment.record.batches = setup_.loop.batches();
    moment.record.updates = setup_.loop.updates();
    return moment;
}

void RunCheckpoints::save(bool evaluated) {
    held_.reset();
    if (!evaluated && setup_.budget <= 0) return;
    Moment moment = present();
    moment.hash = stateHash(moment.tensors);
    if (evaluated) setup_.folder.addState(moment.record.samples_seen, moment.hash);
    keep(std::move(moment));
}

void RunCheckpoints::hold() {
    held_.reset();
    if (setup_.budget <= 0) return;
    held_ = present();
    const RunRecorder::Seconds seconds = setup_.recorder.seconds();
    held_->record.seconds = seconds.active;
    held_->record.training_seconds = seconds.training;
    held_->record.mark = setup_.folder.mark();
    held_->marked = true;
    // A file that could not be written up to here has no such moment.
    if (!setup_.folder.failure().empty()) held_.reset();
}

void RunCheckpoints::saveHeld() {
    if (!held_) return;
    Moment moment = *std::exchange(held_, std::nullopt);
    moment.hash = stateHash(moment.tensors);
    keep(std::move(moment));
}

void RunCheckpoints::keep(Moment moment) {
    if (setup_.budget <= 0) return;
    std::optional<Error> refused = failureToWrite(moment);
    if (refused && roomIsShort(moment.tensors)) {
        // Room for the newest is worth more than the older ones.
        thinCheckpoints(setup_.folder.folder(), 0);
        refused = failureToWrite(moment);
    }
    if (refused) setup_.folder.noteUnwritten(*refused);
}

std::optional<Error> RunCheckpoints::failureToWrite(const Moment& moment) {
    try {
        write(moment);
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const fs::filesystem_error& error) {
        return runError("Cannot write " + error.path1().string() + ": " + error.code().message() + ".",
                        "Check the folder and its permissions.");
    }
}

bool RunCheckpoints::roomIsShort(const TensorsByName& tensors) const {
    std::uintmax_t wanted = 1 << 16;  // and what describes them
    for (const auto& [name, tensor] : tensors) wanted += tensor.nbytes();
    std::error_code unknown;
    const fs::space_info space = fs::space(setup_.folder.folder(), unknown);
    return !unknown && space.available < 2 * wanted;
}

void RunCheckpoints::write(const Moment& moment) {
    const fs::path run = setup_.folder.folder();
    std::error_code ignored;
    // Not the folder of the run: one that is gone is not made anew.
    requirePlainFolder(checkpointsFolder(run));
    if (fs::create_directory(checkpointsFolder(run), ignored)) syncFile(run);
    CheckpointRecord record = moment.record;
    const fs::path file = checkpointTensors(run, record.samples_seen);
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : moment.tensors) named.push_back({name, tensor});
    fs::path aside = file;
    aside += ".new";
    const RemovedFile leftover{aside};
    writeSafetensors(aside, named, {}, FilePlace::InSubfolder, Keep::OnDisk);
    record.bytes = static_cast<std::int64_t>(fs::file_size(aside));
    record.state_hash = moment.hash;
    record.checksum = fileHash(aside, FilePlace::InSubfolder);
    record.written = utcNow();
    record.facts = setup_.facts;
    if (!moment.marked) {
        const RunRecorder::Seconds seconds = setup_.recorder.seconds();
        record.seconds = seconds.active;
        record.training_seconds = seconds.training;
        record.mark = setup_.folder.mark();
    }
    // Numbers that are not on the disk belong to no checkpoint.
    if (!setup_.folder.failure().empty()) return;
    // One of the same moment, written when a pause began, is no checkpoint while its tensors are replaced.
    fs::remove(checkpointDescription(run, record.samples_seen), ignored);
    std::error_code refused;
    fs::rename(aside, file, refused);
    if (refused)
        throw runError("Cannot write " + file.string() + ": " + refused.message() + ".",
                       "Check the folder and its permissions.");
    writeCheckpointRecord(run, record);
    thinCheckpoints(run, setup_.budget);
}

void requireSameRun(const fs::path& folder, const CheckpointFacts& saved, const CheckpointFacts& now) {
    const std::string differences = factDifferences(saved, now);
    if (!differences.empty())
        throw inputError("The run " + folder.string() + " " + kUnlikeItBegan + ": " + differences + ".",
                         "Bring back what differs, or start the run anew.");
}

std::vector<LiveChange> requireForkable(const OptionTable& table, const Experiment& experiment, const fs::path& folder,
                                        const CheckpointRecord& from, CheckpointFacts now,
                                        const std::vector<LiveChange>& changed) {
    CheckpointFacts saved = from.facts;
    // Options as the state has them, rather than as the run began.
    Experiment before = experiment;
    for (const LiveChange& change : changed) {
        table.setText(before, change.key, change.value);
        saved[change.key] = table.text(before, *table.find(change.key));
    }
    std::vector<LiveChange> changes;
    for (const Option& option : table.options()) {
        if (!mayDifferInFork(option)) continue;
        const auto was = saved.find(option.key), is = now.find(option.key);
        if (was == saved.end() || is == now.end()) continue;
        if (option.effect == OptionEffect::NextBatch && was->second != is->second) {
            changes.push_back({option.key, is->second});
            table.setText(before, option.key, was->second);
        }
        saved.erase(was);
        now.erase(is);
    }
    const std::string differences = factDifferences(named(table, saved), named(table, now));
    if (!differences.empty())
        throw inputError("A fork of " + folder.string() + " must agree with it, and does not: " + differences + ".",
                         "Set that back, or start a run of its own. A fork may differ in mask, memory size, evaluation "
                         "and options of its method and training.");
    for (const LiveChange& change : changes) requireLive(table, before, change);
    return changes;
}

TensorsByName savedState(const fs::path& run, const CheckpointRecord& record) {
    TensorsByName tensors;
    for (NamedTensor& entry :
         readSafetensors(checkpointTensors(run, record.samples_seen), FilePlace::InSubfolder).tensors)
        tensors.emplace(std::move(entry.name), std::move(entry.tensor));
    return tensors;
}

void RunCheckpoints::restore(TensorsByName saved) {
    StateArchive archive(std::move(saved), setup_.device);
    visit(archive);
}

}  // namespace palimpsest
