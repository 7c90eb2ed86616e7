// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "app/cli/interrupt_guard.h"
#include "engine/run/run_control.h"

namespace palimpsest {

/// What an InterruptGuard does with work that `control` ends: the first wish stops it and says so on standard error, a
/// second Ctrl-C throws away what was learned. It stops at the next `piece` ("batch"); `work` is what would be lost
/// ("the run"). `control` must outlive it.
std::function<void(Interrupt)> stopThenAbort(RunControl& control, std::string piece, std::string work);

/// Prints through the printer it is given and keeps how the work ended.
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
