// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/adaptation_printers.h"

#include <algorithm>

#include "app/cli/output.h"
#include "engine/support/format.h"
#include "engine/support/json.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kLines = 20;
constexpr std::int64_t kNamed = 20;

const char* endText(AdaptationEnded::How how) {
    switch (how) {
        case AdaptationEnded::How::Finished:
            return "finished";
        case AdaptationEnded::How::Stopped:
            return "stopped";
        case AdaptationEnded::How::Failed:
            break;
    }
    return "failed";
}

/// Name of the loss of the pass that perturbs.
const char* otherLoss(const std::string& kind) {
    return kind == "fam" ? "  loss on the others " : "  loss before the perturbation ";
}

std::string memoryText(const AdaptationEnded& event) {
    return event.peak_memory_bytes > 0 ? ", at most " + byteCount(event.peak_memory_bytes) + " of memory" : "";
}

}  // namespace

void ConsoleAdaptationPrinter::onPreparing(const std::string& detail) {
    bar_.show(detail + " ...");
}

void ConsoleAdaptationPrinter::onStarted(const AdaptationStarted& event) {
    started_ = event;
    next_line_ = event.first_step + std::max<std::int64_t>(1, (event.total_steps - event.first_step) / kLines);
    bar_.line("Initial session adaptation (" + event.kind + "), " + event.data);
    bar_.line("Computes on " + event.device + " in " + event.precision + "; " + grouped(event.trainable_parameters) +
              " trainable parameters");
    bar_.line(event.first_step > 0
                  ? "Goes on after step " + grouped(event.first_step) + " of " + grouped(event.total_steps)
                  : counted(event.total_steps, "step", "steps"));
    for (const std::string& warning : event.warnings) bar_.line("Note: " + warning);
}

void ConsoleAdaptationPrinter::onProgress(const AdaptationProgress& event) {
    const auto total = static_cast<double>(std::max<std::int64_t>(1, started_.total_steps));
    const std::string where = grouped(event.step) + " of " + grouped(started_.total_steps);
    if (event.step >= next_line_ || event.step == started_.total_steps) {
        next_line_ = event.step + std::max<std::int64_t>(1, (started_.total_steps - started_.first_step) / kLines);
        bar_.line("step " + where + "  epoch " + std::to_string(event.epoch) + "  loss " + fixedText(event.loss, 3) +
                  (started_.kind == "naive" ? "" : otherLoss(started_.kind) + fixedText(event.other_loss, 3)) +
                  "  accuracy " + perCentColumn(event.accuracy) + "  " + fixedText(event.steps_per_second, 2) +
                  " steps/s");
    }
    std::string text =
        drawnBar(static_cast<double>(event.step) / total, 30) + " " + where + ", loss " + fixedText(event.loss, 3);
    if (event.steps_per_second > 0)
        text +=
            ", " + duration(static_cast<double>(started_.total_steps - event.step) / event.steps_per_second) + " left";
    bar_.show(text);
}

void ConsoleAdaptationPrinter::onImageLeftOut(const std::string& text) {
    if (++left_out_ <= kNamed) bar_.line("Note: " + text);
    if (left_out_ == kNamed + 1) bar_.line("Note: More images cannot be read; they are left out, too.");
}

void ConsoleAdaptationPrinter::onWarning(const std::string& text) {
    bar_.line("Note: " + text);
}

void ConsoleAdaptationPrinter::onEnded(const AdaptationEnded& event) {
    bar_.show({});
    if (event.how == AdaptationEnded::How::Failed) return;  // standard error gets the error
    if (event.how == AdaptationEnded::How::Finished) {
        bar_.line("Finished after " + duration(event.seconds) + memoryText(event) +
                  ". Prompts: " + event.file.string());
        bar_.line("A run takes them with --set initial_session.prompts=" + event.file.string());
        return;
    }
    if (event.file.empty()) {
        bar_.line("Ended early; nothing was kept, and what was there before is as it was.");
        return;
    }
    bar_.line("Stopped after " + duration(event.seconds) + " at step " + grouped(event.step) + " of " +
              grouped(started_.total_steps) + memoryText(event) + ". Prompts so far: " + event.file.string());
    if (event.state_step > 0)
        bar_.line("The same command with --resume goes on from " + event.file.string() + ".state" +
                  (event.state_step < event.step ? ", which holds step " + grouped(event.state_step) : ""));
}

void JsonAdaptationPrinter::onStarted(const AdaptationStarted& event) {
    compares_ = event.kind != "naive";
    printLine({{"event", "started"},
               {"kind", event.kind},
               {"data", event.data},
               {"total_steps", event.total_steps},
               {"first_step", event.first_step},
               {"trainable_parameters", event.trainable_parameters},
               {"device", event.device},
               {"precision", event.precision},
               {"warnings", event.warnings}});
}

void JsonAdaptationPrinter::onProgress(const AdaptationProgress& event) {
    printLine({{"event", "progress"},
               {"step", event.step},
               {"epoch", event.epoch},
               {"samples_seen", event.samples_seen},
               {"loss", event.loss},
               {"other_loss", compares_ ? Json(event.other_loss) : Json(nullptr)},
               {"accuracy", event.accuracy},
               {"steps_per_second", event.steps_per_second}});
}

void JsonAdaptationPrinter::onImageLeftOut(const std::string& text) {
    printLine({{"event", "image_left_out"}, {"text", text}});
}

void JsonAdaptationPrinter::onWarning(const std::string& text) {
    printLine({{"event", "warning"}, {"text", text}});
}

void JsonAdaptationPrinter::onEnded(const AdaptationEnded& event) {
    printLine({{"event", "ended"},
               {"state", endText(event.how)},
               {"file", orNull(event.file.string())},
               {"step", event.step},
               {"can_go_on", event.state_step > 0},
               {"state_step", event.state_step},
               {"seconds", event.seconds},
               {"peak_memory_bytes", event.peak_memory_bytes},
               {"error", orNull(event.error)},
               {"hint", orNull(event.hint)}});
}

}  // namespace palimpsest
