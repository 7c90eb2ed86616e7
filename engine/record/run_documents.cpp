// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_documents.h"

#include <string>

#include "engine/stream/class_kind.h"
#include "engine/support/json.h"
#include "engine/support/utc_time.h"

namespace palimpsest::run_documents {
namespace {

Json sessionStarts(const StreamPlan& plan) {
    Json starts = Json::array();
    std::int64_t seen = 0;
    for (const auto& session : plan.sessions) {
        starts.push_back(seen);
        seen += static_cast<std::int64_t>(session.size());
    }
    return starts;
}

/// By raw label; null for a class that the stream does not have.
Json kindTexts(const StreamPlan& plan, std::size_t classes) {
    Json texts = Json::array();
    for (const ClassKind kind : classKinds(plan, classes)) texts.push_back(orNull(kindText(kind)));
    return texts;
}

}  // namespace

Json begun(const Experiment& experiment) {
    return {{"format", 1},
            {"state", "running"},
            {"name", experiment.name},
            {"seed", experiment.seed},
            {"versions", Json::object()},
            {"started", utcNow()},
            {"ended", nullptr},
            {"device", nullptr},
            {"precision", nullptr},
            {"threads", nullptr},
            {"fingerprint", nullptr},
            {"total_samples", nullptr},
            {"trainable_parameters", nullptr},
            {"session_starts", Json::array()},
            {"class_names", Json::array()},
            {"class_kinds", Json::array()},
            {"unreadable_images", 0},
            {"warnings", Json::array()},
            {"parent", nullptr},
            {"error", nullptr},
            {"hint", nullptr},
            {"states", Json::array()},
            {"resumed", Json::array()}};
}

void describe(Json& run, const RunStarted& event) {
    run["device"] = event.device;
    run["precision"] = event.precision;
    run["threads"] = event.threads;
    run["fingerprint"] = event.fingerprint;
    run["total_samples"] = event.total_samples;
    run["trainable_parameters"] = event.trainable_parameters;
    if (event.plan) run["session_starts"] = sessionStarts(*event.plan);
    run["class_names"] = event.class_names;
    if (event.plan) run["class_kinds"] = kindTexts(*event.plan, event.class_names.size());
    run["warnings"] = event.warnings;
}

bool tellLeftOut(Json& run, const ImageLeftOut& event, std::size_t before) {
    constexpr std::int64_t kNamed = 20, kWriteEvery = 100;
    run["unreadable_images"] = event.unreadable_images;
    Json& warnings = run["warnings"];
    const std::int64_t more = event.unreadable_images - kNamed;
    if (more <= 0) {
        warnings.push_back(event.text);
    } else {
        warnings.get_ref<Json::array_t&>().resize(before + kNamed);
        warnings.push_back(std::to_string(more) + (more == 1 ? " more image" : " more images") +
                           " could not be read and " + (more == 1 ? "is" : "are") + " left out.");
        // The end of the run writes the last count anyhow.
        if (more > 1 && event.unreadable_images % kWriteEvery != 0) return false;
    }
    return true;
}

Json summary(const Summary& summary, std::int64_t samplesSeen, std::int64_t updates) {
    return {{"a_auc", orNull(summary.a_auc)},
            {"a_last", orNull(summary.a_last)},
            {"f_last", orNull(summary.f_last)},
            {"a_avg", orNull(summary.a_avg)},
            {"a_last_overall", orNull(summary.a_last_overall)},
            {"f_last_classwise", orNull(summary.f_last_classwise)},
            {"sessions_ended", summary.sessions_ended},
            {"samples_seen", samplesSeen},
            {"updates", updates},
            {"seconds", summary.seconds},
            {"images_per_second", summary.images_per_second},
            {"batch_seconds", summary.batch_seconds},
            {"peak_memory_bytes", summary.peak_memory_bytes}};
}

}  // namespace palimpsest::run_documents
