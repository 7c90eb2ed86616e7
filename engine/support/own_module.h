// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Parts of the program that are loaded when they are first needed, since many libraries come with them.

namespace palimpsest {

/// The file of a module that belongs to this program: in the one folder of modules that stands beside the folder of
/// programs, as installed or built. It need not be there.
std::filesystem::path ownModule(const std::string& name);

/// A module that must be of the same build as the program, since both see the same types. Its file holds
/// "MARK VERSION STAMP ".
struct MarkedModule {
    std::string_view name;    ///< in sentences: "learning engine"
    std::string_view target;  ///< what is built for it
    std::string_view mark;    ///< PALIMPSEST_..._MARK of module_stamp.h
    std::string_view own;     ///< PALIMPSEST_MODULE_STAMP
};

/// Looks at the file before the system loads it: a foreign library's own code would run at once. Throws Error(Run)
/// where it is missing, no such module or of another build.
void requireOwnMark(const std::filesystem::path& file, const MarkedModule& module);

/// The function of that name in a module, which is loaded for good. `global`: what it brings is seen by all that is
/// loaded later. Throws Error(Run) that says what is wrong with the file, and what to do.
void* moduleFunction(const std::filesystem::path& file, const char* name, bool global);

}  // namespace palimpsest
