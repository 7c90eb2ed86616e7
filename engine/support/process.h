// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>

namespace palimpsest {

std::string hostName();

/// Where the user's own files of a kind belong: $`own` as it is; else palimpsest/`leaf` in $`xdg`, or in `usual`
/// (".local/share") of the home folder, which is $HOME or, where that is not set, what the system's list of users says.
/// Throws Error(Input) where nothing says it: a folder that happens to be the current one is not the user's.
std::filesystem::path userFolder(const char* own, const char* xdg, const char* usual, const char* leaf);

/// Identity of a process beside later ones with the same number: the system's boot and the process's start time.
/// Empty when there is no such process, or when the system does not say.
std::string processIdentity(long pid);
/// True while the process that once had this identity is still there.
bool processAlive(long pid, const std::string& identity);
/// Peak resident memory of this process in bytes, since it began or since forgetPeakMemory().
std::int64_t peakMemoryBytes();
/// Gives memory that was freed back to the system and lets the peak begin anew at what is left. False where the system
/// does not allow it: the peak stays what it was.
bool forgetPeakMemory();
/// Resident memory of this process now, without what it shares or has from files, in bytes; 0 when the system does not
/// say.
std::int64_t ownMemoryBytes();

/// Memory that could be used without swapping, in bytes; a large number when the system does not say.
std::int64_t availableMemory();

/// Number of processors that this process may use, since a job queue gives a part of the machine.
int availableCores();

/// Signals by which a terminal, a desktop or a job queue asks a program to end.
inline constexpr int kEndingSignals[] = {SIGINT, SIGTERM, SIGHUP};
/// True when one of these is ignored, now or when the program started (SIGHUP under nohup, SIGINT for what a script
/// puts into the background); then it is ignored again.
bool staysIgnored(int number);

}  // namespace palimpsest
