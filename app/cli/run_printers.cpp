// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_printers.h"

#include <unistd.h>
#include <algorithm>
#include <iostream>
#include <utility>

#include "app/cli/output.h"
#include "engine/learner/learner_permit.h"
#include "engine/record/checkpoints.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

std::string padded(const std::string& text, std::size_t width) {
    return std::string(width > text.size() ? width - text.size() : 0, ' ') + text;
}

std::string opening(const char* how, const Summary& summary) {
    std::string text = std::string(how) + " after " + duration(summary.seconds);
    if (summary.images_per_second > 0) text += ", " + fixedText(summary.images_per_second, 0) + " images/s";
    if (summary.peak_memory_bytes > 0) text += ", at most " + byteCount(summary.peak_memory_bytes) + " of memory";
    return text + ".";
}

std::string forkText(const ForkFacts& fork, std::int64_t at) {
    std::string differences;
    for (const std::string& each : fork.differences) differences += (differences.empty() ? "" : "; ") + each;
    return "Fork of \"" + fork.name + "\" (" + fork.parent + ") after " + counted(at, "image", "images") +
           ", from its checkpoint. " + (differences.empty() ? "Nothing differs." : "Differs in " + differences + ".");
}

bool hasCheckpoint(const std::string& run) {
    try {
        return !listCheckpoints(run).empty();
    } catch (const Error&) {
        return false;
    }
}

Json forkOf(const RunStarted& event) {
    if (!event.fork) return nullptr;
    return {{"parent", event.fork->parent},
            {"name", event.fork->name},
            {"samples_seen", event.resumed_at},
            {"differences", event.fork->differences}};
}

}  // namespace

void ConsoleRunPrinter::onStarted(const RunStarted& event) {
    const Experiment& e = event.experiment;
    sessions_ = e.stream.sessions;
    starts_program_ = learnsByProgram(e);
    line(e.name + ": " + e.method.name + (e.program.empty() ? "" : " (" + plainSentence(e.program) + ")") + ", mask " +
         e.mask.name + ", " + e.stream.dataset + ", seed " + std::to_string(e.seed));
    line("Stream: " + grouped(event.total_samples) + " images in " + std::to_string(e.stream.sessions) +
         " sessions, fingerprint " + event.fingerprint);
    const std::string prompts = promptLengthsText(event.prompt_lengths);
    line("Computes on " + event.device + " in " + event.precision + " with " + std::to_string(event.threads) +
         (event.threads == 1 ? " thread" : " threads") +
         // The parameters of a learner that is a program of its own are not known here.
         (event.program ? "" : "; " + grouped(event.trainable_parameters) + " trainable parameters") +
         (prompts.empty() ? "" : ", " + prompts));
    for (const std::string& warning : event.warnings) line("Note: " + warning);
    if (!event.folder.empty()) line("Run folder: " + event.folder);
    if (event.fork)
        line(forkText(*event.fork, event.resumed_at));
    else if (event.resumed_at >= 0)
        line("Goes on after " + grouped(event.resumed_at) + " images.");
}

std::string waitText(const LearnerWait& wait) {
    return "Waiting for " + wait.learner + ", " + grouped(wait.seconds) + " of " + trimmedText(wait.limit, 1) +
           " s ...";
}

void ConsoleRunPrinter::onState(const StateChanged& event) {
    const bool busy = event.state == RunState::Preparing || event.state == RunState::Running;
    if (!event.detail.empty() && busy) bar_.show(event.detail + " ...");
    if (event.wait && busy) bar_.show(waitText(*event.wait));
    // The command line pauses for no other reason.
    if (!event.detail.empty() && event.state == RunState::Paused) {
        line("Paused: " + event.detail);
        paused_ = true;
    }
    // Whoever reads the log from another machine learns from this line that the pause is over.
    if (event.state == RunState::Running && std::exchange(paused_, false)) line("Goes on.");
}

void ConsoleRunPrinter::onProgress(const Progress& event) {
    const double total = static_cast<double>(std::max<std::int64_t>(1, event.total_samples));
    std::string text = drawnBar(static_cast<double>(event.samples_seen) / total, 30) + " " +
                       grouped(event.samples_seen) + " of " + grouped(event.total_samples) + ", session " +
                       std::to_string(event.session + 1);
    if (event.images_per_second > 0) text += ", " + fixedText(event.images_per_second, 0) + " images/s";
    if (event.seconds_left >= 0) text += ", " + duration(event.seconds_left) + " left";
    bar_.show(text);
}

void ConsoleRunPrinter::onPlateau(const PlateauFound& event) {
    line(padded(grouped(event.samples_seen), 9) + " images  plateau of the loss at update " + grouped(event.update) +
         ": mean " + fixedText(event.mean, 3) + ", variance " + fixedText(event.variance, 4));
}

void ConsoleRunPrinter::onChange(const ChangeMade& event) {
    line("After " + grouped(event.samples_seen) + " images: " + event.key + " becomes " + event.value + ".");
}

void ConsoleRunPrinter::onImageLeftOut(const ImageLeftOut& event) {
    constexpr std::int64_t kNamed = 20;
    if (event.unreadable_images <= kNamed) line("Note: " + event.text);
    if (event.unreadable_images == kNamed + 1) line("Note: More images cannot be read; run.json counts them.");
}

void ConsoleRunPrinter::onWarned(const RunWarned& event) {
    line("Note: " + event.text);
}

void ConsoleRunPrinter::onEarlyLook(const EarlyLook& event) {
    line(padded(grouped(event.samples_seen), 9) + " images  early look accuracy " + perCentColumn(event.accuracy) +
         "  loss " + fixedText(event.loss, 3) + "  " + std::to_string(event.classes_seen) + " classes");
}

void ConsoleRunPrinter::onEvaluated(const Evaluated& event) {
    if (event.kind != EvaluationKind::Anytime) return;
    line(padded(grouped(event.samples_seen), 9) + " images  session " + std::to_string(event.session + 1) +
         "  accuracy " + perCentColumn(event.accuracy) + "  loss " + fixedText(event.loss, 3) + "  " +
         std::to_string(event.classes.size()) + " classes");
}

std::string sessionEndedText(const SessionEnded& event, std::size_t width) {
    const std::string last = std::to_string(event.session + 1);
    const std::string text = "Session " + last + " ended at " + grouped(event.samples_seen) +
                             " images; accuracy on the data of " +
                             (event.session == 0 ? "session 1:" : "sessions 1 to " + last + ":");
    std::string each;
    double sum = 0;
    std::int64_t measured = 0;
    const SessionAccuracy* lowest = nullptr;
    for (const SessionAccuracy& entry : event.accuracies) {
        each += " " + perCentColumn(entry.samples > 0 ? std::optional(entry.accuracy) : std::nullopt);
        if (entry.samples <= 0) continue;
        sum += entry.accuracy;
        ++measured;
        if (!lowest || entry.accuracy < lowest->accuracy) lowest = &entry;
    }
    if (width == 0 || text.size() + each.size() <= width) return text + each;
    if (each.size() + 1 <= width || !lowest) return text + "\n " + each;
    const auto bare = [](double share) { return std::string(trimmed(perCentColumn(share))); };
    const SessionAccuracy& own = event.accuracies.back();
    return text + "\n  mean " + bare(sum / static_cast<double>(measured)) + ", lowest " + bare(lowest->accuracy) +
           " (session " + std::to_string(lowest->session + 1) + ")" +
           (own.samples > 0 ? ", its own " + bare(own.accuracy) : "");
}

void ConsoleRunPrinter::onSessionEnded(const SessionEnded& event) {
    line(sessionEndedText(event, terminalWidth(STDOUT_FILENO)));
}

void ConsoleRunPrinter::onEnded(const RunEnded& event) {
    bar_.show({});
    switch (event.how) {
        case RunEnd::Failed:
            // Standard error gets the error.
            if (event.resumable) line("The run is kept. " + wayOn(event.folder));
            return;
        case RunEnd::Aborted:
            line("Aborted; nothing was kept.");
            return;
        case RunEnd::Finished:
            line(opening("Finished", event.summary));
            break;
        case RunEnd::Stopped:
            if (event.folder.empty()) {
                line("Stopped before anything was learned; no run folder was kept.");
                return;
            }
            line(opening("Stopped", event.summary));
            break;
    }
    const Summary& s = event.summary;
    const bool whole = event.how == RunEnd::Finished;
    const std::string stage =
        whole ? "after the last session"
              : "after " + std::to_string(s.sessions_ended) + " of " + std::to_string(sessions_) + " sessions";
    const std::string mark = whole ? "" : " (" + stage + ")";
    const std::string published = " (published code and tables)", text = " (paper's text)";
    const std::string area = whole ? "mean accuracy at any time" : "mean accuracy so far";
    std::vector<std::pair<std::string, std::string>> numbers = {
        {"  A_AUC   " + perCentColumn(s.a_auc), area},
        {"  A_Last  " + perCentColumn(s.a_last_overall), stage + ", over all classes seen" + published},
        {"  F_Last  " + perCentColumn(s.f_last_classwise), "class by class" + published + mark},
        {"  A_Last  " + perCentColumn(s.a_last), "mean over sessions" + text + mark},
        {"  F_Last  " + perCentColumn(s.f_last), "session by session, since each one's best" + text + mark}};
    if (s.ncm_a_auc)
        numbers.insert(numbers.begin() + 1, {"  of NCM  " + perCentColumn(s.ncm_a_auc),
                                             "the same of the nearest class mean, for reference"});
    if (s.router_accuracy)
        numbers.push_back(
            {"  Router  " + perCentColumn(s.router_accuracy), "images whose prompt was the right one" + mark});
    if (s.head_agreement)
        numbers.push_back({"  Heads   " + perCentColumn(s.head_agreement), "images on which all heads agree" + mark});
    std::cout << twoColumns(numbers) << std::flush;
    if (!whole && hasCheckpoint(event.folder)) line(wayOn(event.folder));
}

std::string ConsoleRunPrinter::wayOn(const std::string& folder) const {
    // Leave that was given to one call does not hold in the next.
    return "To go on: palimpsest-cli run --resume " + shellWord(folder) +
           (starts_program_ && allLearnersAllowed() ? " --allow-learner" : "");
}

void JsonRunPrinter::onStarted(const RunStarted& event) {
    printLine({{"event", "started"},
               {"folder", orNull(event.folder)},
               {"name", event.experiment.name},
               {"seed", event.experiment.seed},
               {"method", event.experiment.method.name},
               {"learner", orNull(event.experiment.program)},
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
               {"prompt_lengths", event.prompt_lengths},
               {"warnings", event.warnings}});
}

void JsonRunPrinter::onPlateau(const PlateauFound& event) {
    printLine({{"event", "plateau"},
               {"samples_seen", event.samples_seen},
               {"update", event.update},
               {"mean", event.mean},
               {"variance", event.variance}});
}

void JsonRunPrinter::onChange(const ChangeMade& event) {
    printLine({{"event", "change"}, {"samples_seen", event.samples_seen}, {"key", event.key}, {"value", event.value}});
}

void JsonRunPrinter::onImageLeftOut(const ImageLeftOut& event) {
    printLine({{"event", "image_left_out"},
               {"text", event.text},
               {"part", event.training ? "train" : "test"},
               {"unreadable_images", event.unreadable_images}});
}

void JsonRunPrinter::onWarned(const RunWarned& event) {
    printLine({{"event", "warning"}, {"samples_seen", event.samples_seen}, {"text", event.text}});
}

void JsonRunPrinter::onEarlyLook(const EarlyLook& event) {
    printLine({{"event", "early_look"},
               {"samples_seen", event.samples_seen},
               {"session", event.session},
               {"accuracy", event.accuracy},
               {"loss", event.loss},
               {"classes_seen", event.classes_seen},
               {"updates", event.updates},
               {"test_images", event.test_images}});
}

void JsonRunPrinter::onEvaluated(const Evaluated& event) {
    printLine({{"event", "evaluated"},
               {"kind", event.kind == EvaluationKind::Anytime ? "anytime" : "session_end"},
               {"samples_seen", event.samples_seen},
               {"session", event.session},
               {"accuracy", event.accuracy},
               {"loss", event.loss},
               {"classes_seen", event.classes.size()},
               {"updates", event.updates},
               {"router_accuracy", orNull(event.router)},
               {"head_agreement", orNull(event.agreement)}});
}

void JsonRunPrinter::onSessionEnded(const SessionEnded& event) {
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

void JsonRunPrinter::onEnded(const RunEnded& event) {
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
                 {"bwt_last", orNull(s.bwt_last)},
                 {"ncm_a_auc", orNull(s.ncm_a_auc)},
                 {"ncm_a_last_overall", orNull(s.ncm_a_last_overall)},
                 {"router_accuracy", orNull(s.router_accuracy)},
                 {"head_agreement", orNull(s.head_agreement)},
                 {"seconds", s.seconds},
                 {"images_per_second", s.images_per_second},
                 {"batch_seconds", s.batch_seconds},
                 {"peak_memory_bytes", s.peak_memory_bytes}}},
               {"error", orNull(event.error)},
               {"hint", orNull(event.hint)}});
}

}  // namespace palimpsest
