// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/door/engine_module.h"

#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

#include "engine/support/error.h"
#include "engine/support/module_stamp.h"
#include "engine/support/own_module.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "libpalimpsest-engine.so";
constexpr MarkedModule kEngine{"learning engine", "palimpsest_engine", PALIMPSEST_ENGINE_MARK, PALIMPSEST_MODULE_STAMP};

const char* chosenFile() {
    const char* const given = std::getenv("PALIMPSEST_ENGINE");
    return given && *given ? given : nullptr;
}

Error moduleError(const std::string& message, const std::string& hint) {
    return Error(chosenFile() ? ErrorKind::Input : ErrorKind::Run, message, hint);
}

/// Hint of an error about a module that cannot be used; `what` else to do, a sentence.
std::string otherModule(const std::string& what) {
    if (chosenFile()) return "Unset PALIMPSEST_ENGINE, or name a module that was built with this program.";
    return what.substr(0, what.find_last_not_of('.') + 1) +
           ", or set PALIMPSEST_ENGINE to a module that was built with this program.";
}

const EngineTable* load(const fs::path& file) {
    using Function = const EngineTable*();
    try {
        requireOwnMark(file, kEngine);
        // Its libraries are seen by all, as if the program were linked with them: LibTorch loads parts of its own that
        // want to see it, and calmThreads() looks up the OpenMP that it uses.
        return reinterpret_cast<Function*>(moduleFunction(file, kEngineFunction, true))();
    } catch (const Error& error) {
        throw moduleError(error.what(), otherModule(error.hint()));
    }
}

}  // namespace

fs::path engineFile() {
    const char* const given = chosenFile();
    if (!given) return ownModule(kFileName);
    std::error_code unknown;
    const fs::path path = given;
    const fs::path file = fs::is_directory(path, unknown) ? path / kFileName : path;
    // The present folder may be gone.
    const fs::path whole = fs::absolute(file, unknown);
    return (unknown ? file : whole).lexically_normal();
}

const EngineTable& engine() {
    static std::mutex mutex;
    static const EngineTable* loaded = nullptr;
    const std::lock_guard lock(mutex);
    if (!loaded) loaded = load(engineFile());
    return *loaded;
}

}  // namespace palimpsest
