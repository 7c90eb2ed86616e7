// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>

namespace palimpsest {

/// How a terminal, a desktop or a job queue asks a program to end.
inline constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};

/// True when one of these is ignored, now or when the program started (SIGHUP under nohup, SIGINT for what a script
/// puts into the background); then it is ignored again.
bool staysIgnored(int number);

}  // namespace palimpsest
