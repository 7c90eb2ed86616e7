// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ending.h"

#include <unistd.h>
#include <iostream>
#include <utility>

namespace palimpsest {

std::function<void(Interrupt)> stopThenAbort(RunControl& control, std::string piece, std::string work) {
    return [&control, piece = std::move(piece), work = std::move(work)](Interrupt interrupt) {
        if (interrupt == Interrupt::CtrlCAgain) {
            control.abort();
            return;
        }
        control.stop();
        std::cerr << (isatty(STDERR_FILENO) ? "\n" : "") << "Stopping at the next " << piece
                  << "; what was learned is kept."
                  << (interrupt == Interrupt::CtrlC ? " Ctrl-C once more throws " + work + " away." : "") << std::endl;
    };
}

}  // namespace palimpsest
