// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_row.h"

#include <sys/stat.h>

#include <algorithm>

#include "engine/record/run_folder.h"
#include "engine/record/seed_runs.h"
#include "engine/support/digest.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFiles[] = {"run.json",  "summary.json", "anytime.csv",
                                  "early.csv", "sessions.csv", "library.json"};
constexpr std::size_t kFamilyDigits = 16;

}  // namespace

bool areaIsWhole(const std::vector<AnytimePoint>& anytime, std::int64_t totalSamples, std::int64_t everySamples) {
    return !anytime.empty() && totalSamples - anytime.back().samples_seen < everySamples;
}

fs::path wholePath(const fs::path& path) {
    const fs::path normal = fs::absolute(path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

std::int64_t modifiedAt(const fs::path& folder) {
    std::int64_t latest = 0;
    for (const char* name : kFiles) {
        struct stat status {};
        if (stat((folder / name).c_str(), &status) == 0) latest = std::max<std::int64_t>(latest, status.st_mtim.tv_sec);
    }
    return latest;
}

std::string runSignature(const fs::path& folder) {
    std::string signature;
    std::string file;
    for (const char* name : kFiles) {
        struct stat status {};
        file = folder.string() + '/' + name;
        if (stat(file.c_str(), &status) == 0)
            signature += std::to_string(status.st_size) + '@' + std::to_string(status.st_mtim.tv_sec) + '.' +
                         std::to_string(status.st_mtim.tv_nsec);
        else
            signature += '-';
        signature += ' ';
    }
    return signature;
}

std::string familyOf(const std::string& apart) {
    Sha256 digest;
    digest.add(std::as_bytes(std::span(apart)));
    return digest.hex().substr(0, kFamilyDigits);
}

RunRow rowOf(const OptionTable& table, const RunRecord& record) {
    RunRow row;
    const Experiment& experiment = record.experiment;
    row.folder = record.folder;
    row.state = record.state;
    row.name = experiment.name;
    row.seed = experiment.seed;
    if (!row.imported()) {
        row.method = experiment.method.name;
        row.program = experiment.program;
        row.mask = experiment.mask.name;
        row.prompts = experiment.initial_session.prompts;
        row.dataset = experiment.stream.dataset;
        row.memory = experiment.memory.size;
        row.batch_size = experiment.training.batch_size;
        row.updates_per_batch = experiment.training.updates_per_batch;
        row.changes = changesSince(record.changes, record.forked_at);
        row.prompt_lengths = record.prompt_lengths;
    }
    if (row.imported()) {
        row.method = record.origin.method;
        row.dataset = record.origin.dataset;
        row.origin = importedFrom(record.origin);
    }
    row.sessions = record.session_starts.empty() ? experiment.stream.sessions : std::ssize(record.session_starts);
    row.error = record.error;
    row.started = record.started;
    row.ended = record.ended;
    row.fingerprint = record.fingerprint;
    row.family = familyOf(apartFromSeed(table, experiment, row.imported(), record.changes));
    row.parent = record.parent;
    row.forked_at = record.forked_at;
    row.total_samples = record.total_samples;
    row.samples_seen = record.anytime.empty() ? 0 : record.anytime.back().samples_seen;
    row.sessions_ended = record.summary.sessions_ended;
    row.area_whole = areaIsWhole(record.anytime, record.total_samples, experiment.evaluation.every_samples);
    row.a_auc = record.summary.a_auc;
    row.a_last_overall = record.summary.a_last_overall;
    row.f_last_classwise = record.summary.f_last_classwise;
    row.a_last = record.summary.a_last;
    row.f_last = record.summary.f_last;
    return row;
}

}  // namespace palimpsest
