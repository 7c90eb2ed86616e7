// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "app/cli/interrupt_guard.h"
#include "engine/run/run_control.h"

namespace palimpsest {

/// Handler for an InterruptGuard around work that `control` ends: the first signal stops it and says so on standard
/// error, a second Ctrl-C discards what was learned. The work stops at the next `piece` ("batch"); `work` names what
/// would be lost ("the run"). `control` must outlive the handler.
std::function<void(Interrupt)> stopThenAbort(RunControl& control, std::string piece, std::string work);

/// A printer that also keeps the end of the work.
template <class Printer, class Ended>
class Ending : public Printer {
public:
    void onEnded(const Ended& event) override {
        ended = event;
        Printer::onEnded(event);
    }
    Ended ended;
};

}  // namespace palimpsest
