// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

// Parts of the program that are loaded when they are first needed, since many libraries come with them.

namespace palimpsest {

/// The file of a module that belongs to this program: in the one folder of modules that stands beside the folder of
/// programs, as installed or built. It need not be there.
std::filesystem::path ownModule(const std::string& name);

/// The function of that name in a module, which is loaded for good. `global`: what it brings is seen by all that is
/// loaded later. Throws Error(Run) that says what is wrong with the file; `hint` says what to do.
void* moduleFunction(const std::filesystem::path& file, const char* name, bool global, const std::string& hint);

}  // namespace palimpsest
