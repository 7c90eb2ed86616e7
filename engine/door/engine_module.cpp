// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/door/engine_module.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "engine/door/engine_stamp.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/own_module.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileName = "libpalimpsest-engine.so";
constexpr std::string_view kOwnMark = PALIMPSEST_VERSION " " PALIMPSEST_ENGINE_STAMP;

const char* chosenFile() {
    const char* const given = std::getenv("PALIMPSEST_ENGINE");
    return given && *given ? given : nullptr;
}

Error moduleError(const std::string& message, const std::string& hint) {
    return Error(chosenFile() ? ErrorKind::Input : ErrorKind::Run, message, hint);
}

/// Hint of an error about a module that cannot be used.
std::string otherModule(const std::string& what) {
    return chosenFile() ? "Unset PALIMPSEST_ENGINE, or name a module that was built with this program."
                        : what + ", or set PALIMPSEST_ENGINE to a module that was built with this program.";
}

/// "VERSION STAMP" behind the mark in a file; absent where there is no mark.
std::optional<std::string> markIn(const fs::path& file) {
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    constexpr std::size_t kLongest = 128;  // mark, version and stamp
    const std::string_view mark = PALIMPSEST_ENGINE_MARK;
    InputFile in(file);
    std::string piece;
    while (in) {
        const std::size_t kept = std::min(piece.size(), kLongest);
        piece.erase(0, piece.size() - kept);
        piece.resize(kept + kPiece);
        in.read(piece.data() + kept, static_cast<std::streamsize>(kPiece));
        piece.resize(kept + static_cast<std::size_t>(in.gcount()));
        const std::size_t at = piece.find(mark);
        if (at == std::string::npos) continue;
        // The rest may lie in the next piece.
        if (in && piece.size() - at < kLongest) {
            piece.erase(0, at);
            continue;
        }
        const std::string words = piece.substr(at + mark.size(), kLongest - mark.size());
        const std::size_t version = words.find(' ');
        const std::size_t stamp = version == std::string::npos ? version : words.find(' ', version + 1);
        return words.substr(0, stamp);
    }
    return std::nullopt;
}

/// Looks at the file before the system loads it: a foreign library's own code would run at once.
void requireOwnModule(const fs::path& file) {
    std::error_code unknown;
    if (!fs::exists(file, unknown) && !unknown)
        throw moduleError("The learning engine " + file.string() + " is missing.",
                          otherModule("Build the target palimpsest_engine or install the program again"));
    std::optional<std::string> mark;
    try {
        mark = markIn(file);
    } catch (const Error& error) {
        throw moduleError("The learning engine cannot be read: " + std::string(error.what()),
                          otherModule(error.hint()));
    }
    if (!mark)
        throw moduleError(file.string() + " is no learning engine of Palimpsest.",
                          otherModule("Install the program again"));
    if (*mark == kOwnMark) return;
    const std::string version = mark->substr(0, mark->find(' '));
    throw moduleError("The learning engine " + file.string() + " is of " +
                          (version == PALIMPSEST_VERSION ? "another build of version " + version
                                                         : "version " + version + ", not " PALIMPSEST_VERSION) +
                          " and does not fit this program.",
                      otherModule("Build or install the program and its engine together"));
}

const EngineTable* load(const fs::path& file) {
    requireOwnModule(file);
    using Function = const EngineTable*();
    try {
        // Its libraries are seen by all, as if the program were linked with them: LibTorch loads parts of its own that
        // want to see it, and calmThreads() looks up the OpenMP that it uses.
        return reinterpret_cast<Function*>(moduleFunction(file, kEngineFunction, true, {}))();
    } catch (const Error& error) {
        throw moduleError(error.what(), otherModule("Install the library that is named there"));
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
