// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

std::string hostName();

/// Tells a process from a later one that was given the same number: the system's boot and the process's start time.
/// Empty when there is no such process, or when the system does not say.
std::string processIdentity(long pid);

/// Is the process that once had this identity still there?
bool processAlive(long pid, const std::string& identity);

}  // namespace palimpsest
