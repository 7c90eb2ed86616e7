// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/mlflow_folder.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/report/run_scalars.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest::report {

namespace {

namespace fs = std::filesystem;

constexpr const char* kExperiment = "Palimpsest";
constexpr const char* kExperimentId = "281000000000000001";  // as long as those that MLflow draws
constexpr std::size_t kRunIdDigits = 32;
constexpr std::size_t kMetricsAtOnce = 1 << 20;
constexpr std::size_t kLongestParameter = 6000;  // MLflow refuses longer ones

enum class MlflowStatus { Running = 1, Finished = 3, Failed = 4, Killed = 5 };

MlflowStatus statusOf(RecordedState state) {
    switch (state) {
        case RecordedState::Running:
            return MlflowStatus::Running;
        case RecordedState::Failed:
        case RecordedState::Crashed:
            return MlflowStatus::Failed;
        case RecordedState::Stopped:
            return MlflowStatus::Killed;
        default:
            return MlflowStatus::Finished;
    }
}

/// Text in YAML's single quotes, on one line.
std::string yamlText(std::string_view text) {
    std::string quoted = "'";
    for (const char c : plainSentence(text)) quoted += c == '\'' ? "''" : std::string(1, c);
    return quoted + "'";
}

std::string fileUri(const fs::path& path) {
    constexpr std::string_view kPlain = "/-._~";
    std::string uri = "file://";
    for (const char c : fs::absolute(path).lexically_normal().string()) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (plain || kPlain.find(c) != std::string_view::npos) {
            uri += c;
        } else {
            constexpr std::string_view kDigits = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            uri += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
        }
    }
    return uri;
}

std::string metaYaml(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string text;
    for (const auto& [key, value] : entries) text += key + ": " + value + "\n";
    return text;
}

void makeStoreFolder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw inputError("The folder " + folder.string() + " cannot be made: " + error.message() + ".",
                         "Choose a folder you may write to.");
}

void removeStored(const fs::path& path) {
    std::error_code error;
    fs::remove_all(path, error);
    if (error)
        throw inputError(path.string() + " of an older export cannot be removed: " + error.message() + ".",
                         "Remove it, or choose another folder.");
}

void moveStored(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error)
        throw inputError(from.string() + " cannot become " + to.string() + ": " + error.message() + ".",
                         "Choose a folder you may write to.");
}

/// Folders of a run that an export fills.
constexpr const char* kParts[] = {"metrics", "params", "tags"};

/// Where a part lies before it has its name, or after another one has it.
fs::path asidePart(const fs::path& folder, const char* part, const char* ending) {
    return folder / ("." + std::string(part) + ending);
}

/// Names that MLflow takes: letters, digits, _ - . blank : and /.
std::string mlflowName(std::string_view name) {
    constexpr std::string_view kAlso = "_-. ";
    constexpr std::size_t kLongest = 200;
    std::string plain;
    for (const char c : name.substr(0, kLongest)) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        plain += word || kAlso.find(c) != std::string_view::npos ? c : '_';
    }
    // No name may lead out of its folder.
    if (plain.find_first_not_of(". ") == std::string::npos) return "_" + plain;
    return plain;
}

std::string runIdOf(const RunRecord& run) {
    Sha256 digest;
    const std::string text = run.experiment.name + '\n' + run.started + '\n' + std::to_string(run.experiment.seed) +
                             '\n' + exportedName(run);
    digest.add(std::as_bytes(std::span(text)));
    return digest.hex().substr(0, kRunIdDigits);
}

void writeTexts(const fs::path& folder, const std::map<std::string, std::string>& texts) {
    makeStoreFolder(folder);
    for (const auto& [name, text] : texts) {
        makeStoreFolder((folder / name).parent_path());
        replaceTextFile(folder / name, text);
    }
}

/// A file a name, which hold a line of time, value and step for each number.
std::vector<std::string> writeMetrics(const RunRecord& run, std::int64_t time, const fs::path& folder) {
    makeStoreFolder(folder);
    std::optional<AsideFile> file;
    std::string open, lines;
    const auto finish = [&] {
        if (!file) return;
        file->write(lines);
        file->publish();
        file.reset();
        lines.clear();
    };
    std::vector<std::string> warnings = eachScalar(run, [&](const std::string& name, std::int64_t step, double value) {
        if (!file || name != open) {
            finish();
            makeStoreFolder((folder / name).parent_path());
            file.emplace(folder / name);
            open = name;
        }
        lines += std::to_string(time) + ' ' + shortestDigits(value) + ' ' + std::to_string(step) + '\n';
        if (lines.size() < kMetricsAtOnce) return;
        file->write(lines);
        lines.clear();
    });
    finish();
    return warnings;
}

std::map<std::string, std::string> parametersOf(const OptionTable& table, const RunRecord& run) {
    std::map<std::string, std::string> parameters;
    const auto put = [&](const std::string& name, const std::string& value) {
        parameters[mlflowName(name)] = value.substr(0, kLongestParameter);
    };
    if (run.state == RecordedState::Imported) {
        for (const auto& [key, value] : run.origin.settings) put(key, value);
        return parameters;
    }
    for (const Option& option : table.options())
        if (option.key != "name" && table.idleReason(run.experiment, option).empty())
            put(option.key, plainSentence(table.text(run.experiment, option)));
    return parameters;
}

std::map<std::string, std::string> tagsOf(const RunRecord& run) {
    std::map<std::string, std::string> tags = {{"mlflow.runName", plainSentence(run.experiment.name)},
                                               {"mlflow.source.name", "palimpsest"},
                                               {"mlflow.source.type", "LOCAL"},
                                               {"mlflow.user", "palimpsest"},
                                               {"palimpsest.state", toText(run.state)},
                                               {"palimpsest.folder", plainSentence(run.folder.string())}};
    const auto put = [&](const char* name, const std::string& value) {
        if (!value.empty()) tags[name] = plainSentence(value);
    };
    put("palimpsest.stream", run.fingerprint);
    put("palimpsest.device", run.device);
    put("palimpsest.versions", run.origin.versions);
    if (run.state == RecordedState::Imported) put("palimpsest.imported_from", importedFrom(run.origin));
    return tags;
}

}  // namespace

fs::path makeMlflowExperiment(const fs::path& store) {
    const fs::path folder = store / kExperimentId;
    makeStoreFolder(folder);
    std::error_code ignored;
    if (!fs::exists(folder / "meta.yaml", ignored))
        replaceTextFile(folder / "meta.yaml", metaYaml({{"artifact_location", yamlText(fileUri(folder))},
                                                        {"creation_time", "0"},
                                                        {"experiment_id", yamlText(kExperimentId)},
                                                        {"last_update_time", "0"},
                                                        {"lifecycle_stage", "active"},
                                                        {"name", kExperiment}}));
    return folder;
}

fs::path writeMlflowRun(const OptionTable& table, const RunRecord& run, const fs::path& experiment,
                        std::vector<std::string>& warnings) {
    const std::string id = runIdOf(run);
    const fs::path folder = experiment / id;
    makeStoreFolder(folder);
    const std::int64_t started = unixMilliseconds(run.started), ended = unixMilliseconds(run.ended);
    // An older export of the run stays until the new one is whole.
    for (const char* part : kParts) removeStored(asidePart(folder, part, ".new"));
    warnings = writeMetrics(run, started, asidePart(folder, "metrics", ".new"));
    writeTexts(asidePart(folder, "params", ".new"), parametersOf(table, run));
    writeTexts(asidePart(folder, "tags", ".new"), tagsOf(run));
    for (const char* part : kParts) {
        const fs::path older = asidePart(folder, part, ".old");
        std::error_code ignored;
        removeStored(older);
        if (fs::exists(fs::symlink_status(folder / part, ignored))) moveStored(folder / part, older);
        moveStored(asidePart(folder, part, ".new"), folder / part);
        removeStored(older);
    }
    makeStoreFolder(folder / "artifacts");
    const auto status = static_cast<int>(statusOf(run.state));
    replaceTextFile(folder / "meta.yaml", metaYaml({{"artifact_uri", yamlText(fileUri(folder / "artifacts"))},
                                                    {"end_time", ended > 0 ? std::to_string(ended) : "null"},
                                                    {"entry_point_name", "''"},
                                                    {"experiment_id", yamlText(kExperimentId)},
                                                    {"lifecycle_stage", "active"},
                                                    {"run_id", yamlText(id)},
                                                    {"run_name", yamlText(run.experiment.name)},
                                                    {"run_uuid", yamlText(id)},
                                                    {"source_name", "''"},
                                                    {"source_type", "4"},
                                                    {"source_version", "''"},
                                                    {"start_time", std::to_string(started)},
                                                    {"status", std::to_string(status)},
                                                    {"tags", "[]"},
                                                    {"user_id", "palimpsest"}}));
    return folder;
}

}  // namespace palimpsest::report
