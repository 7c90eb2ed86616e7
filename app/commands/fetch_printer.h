// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/output.h"
#include "datasets/fetching/fetch.h"
#include "engine/support/format.h"

namespace palimpsest {

/// Prints a fetch in lines, one a step, with a bar below them on a terminal.
class FetchPrinter {
public:
    explicit FetchPrinter(bool json) : json_(json) {}

    void operator()(const FetchProgress& now) {
        if (json_) {
            std::string step = stepName(now.step);
            step.front() = static_cast<char>(step.front() - 'A' + 'a');
            printLine({{"event", "progress"},
                       {"step", step},
                       {"file", now.file},
                       {"bytes", now.bytes},
                       {"total", now.total},
                       {"bytes_per_second", now.bytes_per_second}});
            return;
        }
        const std::string step = now.step == FetchProgress::Step::Waiting
                                     ? "Another fetch of it is at work; waiting for it"
                                     : std::string(stepName(now.step)) + " " + now.file;
        if (step != step_) {
            bar_.show({});
            bar_.line(step + (now.total > 0 ? " (" + byteCount(now.total) + ")" : ""));
        }
        step_ = step;
        if (now.total <= 0) return;
        const double left = static_cast<double>(now.total - now.bytes);
        std::string text = drawnBar(1 - left / static_cast<double>(now.total), 30) + " " + byteCount(now.bytes) +
                           " of " + byteCount(now.total);
        if (now.bytes_per_second > 0)
            text += ", " + byteCount(static_cast<std::int64_t>(now.bytes_per_second)) + "/s, " +
                    duration(left / now.bytes_per_second) + " left";
        bar_.show(text);
    }

    void clear() { bar_.show({}); }

private:
    const bool json_;
    TerminalBar bar_;
    std::string step_;
};

}  // namespace palimpsest
