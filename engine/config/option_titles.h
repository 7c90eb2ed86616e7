// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace palimpsest {

/// A sentence with options called by their titles, as in the form: "Memory is none" of "memory.size is 0". The command
/// line and files are written in keys, and keep theirs; the window and reports show titles. A key in brackets behind
/// its own title goes: "5 sessions" of "5 sessions (stream.sessions)". Paths and "--set memory.size=5" stay.
std::string inTitles(std::string_view sentence);

}  // namespace palimpsest
