// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_checkpoints.h"

#include "engine/api.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/network/safetensors.h"
#include "engine/network/weights.h"
#include "engine/run/checkpoint_ring.h"
#include "engine/run/durable.h"
#include "engine/run/utc_time.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// Says where something lies or how fast it goes, and decides no number.
bool decidesNothing(const std::string& key) {
    return key == "name" || key == "stream.cache" || key == "evaluation.checkpoints" || key == "backbone.weights";
}

/// What is built, and what comes when, must be the same.
bool mayDifferInFork(const Option& option) {
    const std::string section = option.section();
    return section == "mask" || section == "memory" || section == "evaluation" ||
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
    for (const Option& option : table.options())
        if (!decidesNothing(option.key)) facts[option.key] = table.text(experiment, option);
    facts["device"] = compute.deviceName();
    facts["precision"] = compute.precisionName();
    facts["threads"] = std::to_string(compute.threads);
    return facts;
}

void RunCheckpoints::visit(StateArchive& archive) {
    archive.within("loop", [&] { setup_.loop.keep(archive); });
    archive.within("metrics", [&] { setup_.recorder.keep(archive); });
    archive.within("left_out.train", [&] { setup_.train.keep(archive); });
    archive.within("left_out.test", [&] { setup_.test.keep(archive); });
}

void RunCheckpoints::save(bool evaluated) {
    StateArchive archive;
    visit(archive);
    const std::string hash = stateHash(archive.tensors());
    if (evaluated) setup_.folder.addState(setup_.loop.samplesSeen(), hash);
    if (setup_.budget <= 0) return;
    try {
        write(archive.tensors(), hash);
    } catch (const Error&) {
        // Room for the newest is worth more than the older ones.
        thinCheckpoints(setup_.folder.folder(), 0);
        try {
            write(archive.tensors(), hash);
        } catch (const Error& error) {
            setup_.folder.noteUnwritten(error);
        }
    }
}

void RunCheckpoints::write(const TensorsByName& tensors, const std::string& hash) {
    const fs::path run = setup_.folder.folder();
    std::error_code ignored;
    fs::create_directories(checkpointsFolder(run), ignored);
    CheckpointRecord record;
    record.samples_seen = setup_.loop.samplesSeen();
    record.session = setup_.loop.session();
    record.batches = setup_.loop.batches();
    record.updates = setup_.loop.updates();
    const fs::path file = checkpointTensors(run, record.samples_seen);
    std::vector<NamedTensor> named;
    for (const auto& [name, tensor] : tensors) named.push_back({name, tensor});
    // One of the same moment, written when a pause began, is no checkpoint while its tensors are replaced.
    fs::remove(checkpointDescription(run, record.samples_seen), ignored);
    writeSafetensors(file, named);
    syncFile(file);
    record.bytes = static_cast<std::int64_t>(fs::file_size(file));
    record.state_hash = hash;
    record.checksum = fileHash(file);
    record.written = utcNow();
    const RunRecorder::Seconds seconds = setup_.recorder.seconds();
    record.seconds = seconds.active;
    record.training_seconds = seconds.training;
    record.facts = setup_.facts;
    record.mark = setup_.folder.mark();
    // Numbers that are not on the disk belong to no checkpoint.
    if (!setup_.folder.failure().empty()) return;
    writeCheckpointRecord(run, record);
    thinCheckpoints(run, setup_.budget);
}

void requireSameRun(const fs::path& folder, const CheckpointFacts& saved, const CheckpointFacts& now) {
    const std::string differences = factDifferences(saved, now);
    if (!differences.empty())
        throw inputError("The run " + folder.string() + " cannot be gone on with as it began: " + differences + ".",
                         "Bring back what differs, or start the run anew.");
}

std::vector<LiveChange> requireForkable(const OptionTable& table, const fs::path& folder, CheckpointFacts saved,
                                        CheckpointFacts now) {
    std::vector<LiveChange> changes;
    for (const Option& option : table.options()) {
        if (!mayDifferInFork(option)) continue;
        const auto was = saved.find(option.key), is = now.find(option.key);
        if (was == saved.end() || is == now.end()) continue;
        if (option.effect == OptionEffect::NextBatch && was->second != is->second)
            changes.push_back({option.key, is->second});
        saved.erase(was);
        now.erase(is);
    }
    const std::string differences = factDifferences(saved, now);
    if (!differences.empty())
        throw inputError("A fork of " + folder.string() + " must agree with it: " + differences + ".",
                         "Fork it with another mask, memory, evaluation, or options of its method and training.");
    return changes;
}

void RunCheckpoints::restore(const fs::path& run, const CheckpointRecord& record) {
    const fs::path file = checkpointTensors(run, record.samples_seen);
    TensorsByName tensors;
    for (NamedTensor& entry : readSafetensors(file).tensors)
        tensors.emplace(std::move(entry.name), std::move(entry.tensor));
    StateArchive archive(std::move(tensors), setup_.device);
    visit(archive);
    setup_.recorder.goOnFrom({record.seconds, record.training_seconds});
}

}  // namespace palimpsest
