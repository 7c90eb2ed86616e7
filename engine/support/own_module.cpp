// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/own_module.h"

#include <dlfcn.h>

#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;

fs::path ownModule(const std::string& name) {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    // Programs of the tests lie beside, or further below.
    for (fs::path folder = program; folder.has_relative_path(); folder = folder.parent_path()) {
        const fs::path file = (folder / PALIMPSEST_MODULES / name).lexically_normal();
        if (fs::exists(file, unknown)) return file;
    }
    return (program / PALIMPSEST_MODULES / name).lexically_normal();
}

void* moduleFunction(const fs::path& file, const char* name, bool global, const std::string& hint) {
    void* const module = dlopen(file.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!module) {
        const char* const reason = dlerror();
        throw runError(
            "The module " + file.string() + " cannot be loaded: " + (reason ? reason : "unknown reason") + ".", hint);
    }
    void* const function = dlsym(module, name);
    if (!function) {
        dlclose(module);
        throw runError("The module " + file.string() + " lacks the function " + name + ".", hint);
    }
    return function;
}

}  // namespace palimpsest
