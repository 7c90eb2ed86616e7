// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_documents.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/record/copy_mark.h"
#include "engine/record/run_folder_writer.h"
#include "engine/record/run_processors.h"
#include "engine/stream/stream_plan.h"
#include "engine/support/clock.h"
#include "engine/support/error.h"
#include "engine/support/machine.h"
#include "engine/support/process.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// Samples seen when each session begins.
Json sessionStarts(const StreamPlan& plan) {
    Json starts = Json::array();
    std::int64_t seen = 0;
    for (const auto& session : plan.sessions) {
        starts.push_back(seen);
        seen += static_cast<std::int64_t>(session.size());
    }
    return starts;
}

/// Words of the class kinds, by raw label; null for a class that the stream does not have.
Json kindTexts(const StreamPlan& plan, std::size_t classes) {
    Json texts = Json::array();
    for (const ClassKind kind : classKinds(plan, classes)) texts.push_back(orNull(kindText(kind)));
    return texts;
}

bool isWhole(const Json& value) {
    constexpr std::int64_t kMost = 9'000'000'000'000'000;
    return value.is_number_integer() && value >= 0 && value <= kMost;
}

/// True for what a run writes, as far as this class relies on it: a checkpoint may come from anywhere.
bool isDocument(const Json& run) {
    if (!run.is_object()) return false;
    const auto at = [&](const char* key) {
        const auto found = run.find(key);
        return found == run.end() ? Json() : *found;
    };
    const auto isList = [&](const char* key, const auto& allowed) {
        const Json list = at(key);
        return list.is_null() || (list.is_array() && std::all_of(list.begin(), list.end(), allowed));
    };
    const auto anything = [](const Json&) { return true; };
    const Json versions = at("versions"), parent = at("parent");
    const bool forked = parent.is_null() || parent.is_object();
    for (const char* key : {"samples_seen", "batches"})
        if (parent.is_object() && parent.contains(key) && !isWhole(parent.at(key))) return false;
    return forked && (versions.is_null() || versions.is_object()) && isList("class_names", anything) &&
           isList("resumed", anything) && isList("warnings", anything) && isList("session_starts", isWhole) &&
           isList("states", [](const Json& state) { return state.is_object(); });
}

}  // namespace

RunDocument::RunDocument(Json run, std::size_t ownWarnings) : run_(std::move(run)) {
    if (!isDocument(run_))
        throw inputError("The checkpoint holds a run.json that no run wrote.", "Resume from another one.");
    Json& warnings = run_["warnings"];
    if (warnings.is_null()) warnings = Json::array();
    own_warnings_ = std::min(ownWarnings, warnings.size());
}

RunDocument::RunDocument(const Experiment& experiment)
    : run_{{"format", 1},
           {"state", toText(RecordedState::Running)},
           {"name", experiment.name},
           {"seed", experiment.seed},
           {"versions", Json::object()},
           {"started", utcNow()},
           {"ended", nullptr},
           {"processor", processorModel()},
           {"device", nullptr},
           {"precision", nullptr},
           {"threads", nullptr},
           {"fingerprint", nullptr},
           {"total_samples", nullptr},
           {"trainable_parameters", nullptr},
           {"prompt_lengths", nullptr},
           {"learner", nullptr},
           {"session_starts", Json::array()},
           {"class_names", Json::array()},
           {"class_kinds", Json::array()},
           {"unreadable_images", 0},
           {"warnings", Json::array()},
           {"parent", nullptr},
           {"error", nullptr},
           {"hint", nullptr},
           {"states", Json::array()},
           {"resumed", Json::array()}} {
    setProcess();
}

void RunDocument::setProcess() {
    const long pid = getpid();
    run_["host"] = hostName();
    run_["pid"] = pid;
    run_["process"] = processIdentity(pid);
    const std::optional<QueueTask> task = queueTask();
    run_["job"] = task ? Json{{"task", task->id}, {"restarts", task->restarts}} : Json(nullptr);
}

void RunDocument::setFolder(const fs::path& folder) {
    if (liesInCopy(folder))
        run_["computed_in"] = markComputedHere(folder);
    else
        run_.erase("computed_in");
}

void RunDocument::resume(std::int64_t samplesSeen) {
    run_["state"] = toText(RecordedState::Running);
    run_["ended"] = nullptr;
    run_["error"] = nullptr;
    run_["hint"] = nullptr;
    setWait(std::nullopt);
    run_["resumed"].push_back({{"samples_seen", samplesSeen}, {"at", utcNow()}, {"processor", processorModel()}});
    setProcess();
    const std::vector<std::string> processors = processorsIn(run_);
    const Json device = run_.value("device", Json());
    if (device.is_string() && continuedElsewhere(processors, device.get<std::string>()))
        addWarnings({"Continued elsewhere, not bit for bit: it began on " + processors.front() + " and went on on " +
                     processors.back() + "."});
}

void RunDocument::fork(const Experiment& experiment, const fs::path& origin, std::int64_t samplesSeen) {
    run_["state"] = toText(RecordedState::Running);
    run_["name"] = experiment.name;
    run_["started"] = utcNow();
    run_["ended"] = run_["error"] = run_["hint"] = nullptr;
    run_["processor"] = processorModel();
    run_["parent"] = {{"run", fs::absolute(origin).lexically_normal().string()}, {"samples_seen", samplesSeen}};
    run_["resumed"] = Json::array();
    setWait(std::nullopt);
    setProcess();
}

void RunDocument::addVersion(const std::string& program, const std::string& version) {
    run_["versions"][program] = version;
}

void RunDocument::describe(const RunStarted& event) {
    run_["device"] = event.device;
    run_["precision"] = event.precision;
    run_["threads"] = event.threads;
    run_["fingerprint"] = event.fingerprint;
    run_["total_samples"] = event.total_samples;
    run_["trainable_parameters"] = event.trainable_parameters;
    run_["prompt_lengths"] = event.prompt_lengths;
    setProgram(event.program);
    if (event.plan) run_["session_starts"] = sessionStarts(*event.plan);
    run_["class_names"] = event.class_names;
    if (event.plan) run_["class_kinds"] = kindTexts(*event.plan, event.class_names.size());
    run_["warnings"] = event.warnings;
    own_warnings_ = event.warnings.size();
}

void RunDocument::setProgram(const std::optional<ProgramIdentity>& program) {
    run_["learner"] =
        program ? Json{{"name", program->name}, {"version", orNull(program->version)}, {"sha256", program->digest}}
                : Json(nullptr);
}

void RunDocument::setWait(const std::optional<LearnerWait>& wait) {
    // A moment rather than the seconds so far: nothing is to be written again while the wait goes on.
    if (wait)
        run_["waits_for"] = {
            {"learner", wait->learner}, {"since", utcNow(std::chrono::seconds(wait->seconds))}, {"limit", wait->limit}};
    else
        run_.erase("waits_for");
}

void RunDocument::addWarnings(const std::vector<std::string>& added) {
    Json& warnings = run_["warnings"];
    if (!warnings.is_array()) warnings = Json::array();
    own_warnings_ = std::min(own_warnings_, warnings.size());
    for (const std::string& warning : added)
        if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
            warnings.insert(warnings.begin() + static_cast<std::ptrdiff_t>(own_warnings_++), warning);
}

bool RunDocument::addState(std::int64_t samplesSeen, const std::string& hash) {
    Json& states = run_["states"];
    // A checkpoint that there was no room for is tried again.
    if (!states.empty() && states.back()["samples_seen"] == samplesSeen) return false;
    states.push_back({{"samples_seen", samplesSeen}, {"hash", hash}});
    return true;
}

void RunDocument::setSharedPast(const SharedPast& past) {
    // The images stand there as its samples seen.
    run_["parent"]["batches"] = past.batches;
}

SharedPast RunDocument::sharedPast() const {
    const auto parent = run_.find("parent");
    if (parent == run_.end() || !parent->is_object() || !parent->contains("batches")) return {};
    return {parent->value("samples_seen", std::int64_t{0}), parent->value("batches", std::int64_t{0})};
}

bool RunDocument::addLeftOut(const ImageLeftOut& event) {
    constexpr std::int64_t kNamed = 20, kWriteEvery = 100;
    run_["unreadable_images"] = event.unreadable_images;
    Json& warnings = run_["warnings"];
    const std::int64_t more = event.unreadable_images - kNamed;
    if (more <= 0) {
        warnings.push_back(event.text);
    } else {
        warnings.get_ref<Json::array_t&>().resize(own_warnings_ + kNamed);
        warnings.push_back(std::to_string(more) + (more == 1 ? " more image" : " more images") +
                           " could not be read and " + (more == 1 ? "is" : "are") + " left out.");
        // The end of the run writes the last count anyhow.
        if (more > 1 && event.unreadable_images % kWriteEvery != 0) return false;
    }
    return true;
}

void RunDocument::moveStarts(std::int64_t session, std::int64_t seen) {
    Json& starts = run_["session_starts"];
    const auto next = static_cast<std::size_t>(session);
    if (next >= starts.size()) return;
    if (run_["unreadable_images"] == 0) return;
    const std::int64_t shift = seen - starts[next].get<std::int64_t>();
    for (std::size_t i = next; i < starts.size(); ++i) starts[i] = starts[i].get<std::int64_t>() + shift;
}

void RunDocument::end(RecordedState state, const std::string& error, const std::string& hint) {
    setWait(std::nullopt);
    run_["state"] = toText(state);
    run_["ended"] = utcNow();
    run_["error"] = orNull(error);
    run_["hint"] = orNull(hint);
}

Json summaryDocument(const Summary& summary, std::int64_t samplesSeen, std::int64_t updates) {
    return {{"a_auc", orNull(summary.a_auc)},
            {"a_last", orNull(summary.a_last)},
            {"f_last", orNull(summary.f_last)},
            {"a_avg", orNull(summary.a_avg)},
            {"a_last_overall", orNull(summary.a_last_overall)},
            {"f_last_classwise", orNull(summary.f_last_classwise)},
            {"bwt_last", orNull(summary.bwt_last)},
            {"ncm_a_auc", orNull(summary.ncm_a_auc)},
            {"ncm_a_last_overall", orNull(summary.ncm_a_last_overall)},
            {"router_accuracy", orNull(summary.router_accuracy)},
            {"head_agreement", orNull(summary.head_agreement)},
            {"sessions_ended", summary.sessions_ended},
            {"samples_seen", samplesSeen},
            {"updates", updates},
            {"seconds", summary.seconds},
            {"images_per_second", summary.images_per_second},
            {"batch_seconds", summary.batch_seconds},
            {"peak_memory_bytes", summary.peak_memory_bytes}};
}

std::string documentText(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace palimpsest
