// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/json_observer.h"

#include "app/cli/json_output.h"
#include "engine/support/json.h"

namespace palimpsest {

namespace {

Json forkOf(const RunStarted& event) {
    if (!event.fork) return nullptr;
    return {{"parent", event.fork->parent},
            {"name", event.fork->name},
            {"samples_seen", event.resumed_at},
            {"differences", event.fork->differences}};
}

}  // namespace

void JsonObserver::onStarted(const RunStarted& event) {
    printLine({{"event", "started"},
               {"folder", orNull(event.folder)},
               {"name", event.experiment.name},
               {"seed", event.experiment.seed},
               {"method", event.experiment.method.name},
               {"mask", event.experiment.mask.name},
               {"dataset", event.experiment.stream.dataset},
               {"fingerprint", event.fingerprint},
               {"total_samples", event.total_samples},
               {"resumed_at", event.resumed_at >= 0 ? Json(event.resumed_at) : Json(nullptr)},
               {"fork", forkOf(event)},
               {"device", event.device},
               {"precision", event.precision},
               {"threads", event.threads},
               {"trainable_parameters", event.trainable_parameters},
               {"warnings", event.warnings}});
}

void JsonObserver::onChange(const ChangeMade& event) {
    printLine({{"event", "change"}, {"samples_seen", event.samples_seen}, {"key", event.key}, {"value", event.value}});
}

void JsonObserver::onImageLeftOut(const ImageLeftOut& event) {
    printLine({{"event", "image_left_out"},
               {"text", event.text},
               {"part", event.training ? "train" : "test"},
               {"unreadable_images", event.unreadable_images}});
}

void JsonObserver::onEvaluated(const Evaluated& event) {
    printLine({{"event", "evaluated"},
               {"kind", event.kind == EvaluationKind::Anytime ? "anytime" : "session_end"},
               {"samples_seen", event.samples_seen},
               {"session", event.session},
               {"accuracy", event.accuracy},
               {"loss", event.loss},
               {"classes_seen", event.classes.size()},
               {"updates", event.updates}});
}

void JsonObserver::onSessionEnded(const SessionEnded& event) {
    Json accuracies = Json::array();
    for (const SessionAccuracy& entry : event.accuracies) {
        accuracies.push_back({{"session", entry.session},
                              {"accuracy", entry.samples > 0 ? Json(entry.accuracy) : Json(nullptr)},
                              {"samples", entry.samples}});
    }
    printLine({{"event", "session_ended"},
               {"session", event.session},
               {"samples_seen", event.samples_seen},
               {"accuracies", accuracies}});
}

void JsonObserver::onEnded(const RunEnded& event) {
    const Summary& s = event.summary;
    printLine({{"event", "ended"},
               {"state", toText(event.how)},
               {"folder", orNull(event.folder)},
               {"summary",
                {{"sessions_ended", s.sessions_ended},
                 {"a_auc", orNull(s.a_auc)},
                 {"a_last", orNull(s.a_last)},
                 {"f_last", orNull(s.f_last)},
                 {"a_avg", orNull(s.a_avg)},
                 {"a_last_overall", orNull(s.a_last_overall)},
                 {"f_last_classwise", orNull(s.f_last_classwise)},
                 {"seconds", s.seconds},
                 {"images_per_second", s.images_per_second},
                 {"batch_seconds", s.batch_seconds},
                 {"peak_memory_bytes", s.peak_memory_bytes}}},
               {"error", orNull(event.error)},
               {"hint", orNull(event.hint)}});
}

}  // namespace palimpsest
