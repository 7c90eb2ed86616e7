// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/own_module.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kAgain = "Install the program again.";

/// The system maps a file that is shorter than its headers say all the same, and a program ends with a bus error where
/// it is read.
void requireWhole(const fs::path& file) {
    std::error_code unknown;
    if (!fs::exists(file, unknown) && !unknown) throw runError("The module " + file.string() + " is missing.", kAgain);
    InputFile in(file);
    const std::uint64_t size = in.size();
    const auto read = [&](std::uint64_t at, auto& part) {
        in.seekg(static_cast<std::streamoff>(at));
        return static_cast<bool>(in.read(reinterpret_cast<char*>(&part), sizeof part));
    };
    ElfW(Ehdr) header{};
    if (!read(0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_phentsize != sizeof(ElfW(Phdr)))
        throw runError(file.string() + " is no module of a program.", kAgain);
    bool whole = header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize <= size;
    for (unsigned i = 0; whole && i < header.e_phnum; ++i) {
        ElfW(Phdr) part{};
        whole = read(header.e_phoff + std::uint64_t{i} * sizeof part, part) &&
                (part.p_type != PT_LOAD || (part.p_offset <= size && part.p_filesz <= size - part.p_offset));
    }
    if (!whole) throw runError("The module " + file.string() + " is cut short.", kAgain);
}

/// "VERSION STAMP" behind the mark in a file; absent where there is no mark.
std::optional<std::string> markIn(const fs::path& file, std::string_view mark) {
    constexpr std::size_t kPiece = std::size_t{1} << 20U;
    constexpr std::size_t kLongest = 128;  // mark, version and stamp
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

}  // namespace

fs::path ownModule(const std::string& name) {
    std::error_code unknown;
    const fs::path program = fs::read_symlink("/proc/self/exe", unknown).parent_path();
    // Nowhere else: further up, folders may be somebody else's.
    return (program / PALIMPSEST_MODULES / name).lexically_normal();
}

void requireOwnMark(const fs::path& file, const MarkedModule& module) {
    const std::string name = "The " + std::string(module.name) + " ";
    std::error_code unknown;
    if (!fs::exists(file, unknown) && !unknown)
        throw runError(name + file.string() + " is missing.",
                       "Build the target " + std::string(module.target) + ", or install the program again.");
    std::optional<std::string> found;
    try {
        found = markIn(file, module.mark);
    } catch (const Error& error) {
        throw runError(name + "cannot be read: " + error.what(), error.hint());
    }
    if (!found) throw runError(file.string() + " is no " + std::string(module.name) + " of Palimpsest.", kAgain);
    if (*found == module.own) return;
    const std::string version = found->substr(0, found->find(' '));
    throw runError(name + file.string() + " is of " +
                       (version == PALIMPSEST_VERSION ? "another build of version " + version
                                                      : "version " + version + ", not " PALIMPSEST_VERSION) +
                       " and does not fit this program.",
                   "Build or install all of the program together.");
}

void* moduleFunction(const fs::path& file, const char* name, bool global) {
    requireWhole(file);
    void* const module = dlopen(file.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!module) {
        const char* const reason = dlerror();
        throw runError(
            "The module " + file.string() + " cannot be loaded: " + (reason ? reason : "unknown reason") + ".",
            "Install the library that is named there.");
    }
    void* const function = dlsym(module, name);
    if (!function) {
        dlclose(module);
        throw runError("The module " + file.string() + " lacks the function " + name + ".", kAgain);
    }
    return function;
}

}  // namespace palimpsest
