// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/error.h"

// A target hands bytes to one reader. The same file serves two programs: with clang's libFuzzer, which looks for bytes
// that break it (resources/scripts/fuzz), and in the tests, where replay.cpp plays the corpus in tests/data/fuzz and a
// fixed number of mutations of it.
//
// A reader may give an answer, or throw Error with a sentence that can be shown. Any other exception, a report of a
// sanitizer, more than 1 GiB of memory, and words that cannot be shown as one line are defects.

namespace palimpsest::fuzz {

/// Ends the program, so that the input is kept, unless it holds.
void require(bool holds, const char* what);
/// Words that reach a terminal, the window or a report: one line of printable text of at most a few kilobytes.
void requireLine(std::string_view words);
void requireLines(const std::vector<std::string>& words);
/// What an error must be: a sentence that is not empty and ends like one, and perhaps another as a hint.
void requireSentence(const Error& error);

/// Calls a reader, which may refuse what it was given. False when it did.
template <class Read>
bool answers(const Read& read) {
    try {
        read();
        return true;
    } catch (const Error& error) {
        requireSentence(error);
        return false;
    }
}

/// An empty folder of this process's own, removed at its end.
std::filesystem::path scratchFolder();
/// A file of that name with these bytes. It is the same file at every call, so that writing it costs little.
std::filesystem::path fileWith(std::string_view bytes, const std::string& name);

/// A folder with files from one input: each begins behind a line "@@NAME"; what stands before the first such line
/// belongs to the first of `names`. Files of other names are left out, and so nothing is written elsewhere.
class InputFolder {
public:
    /// `names`: with the folders that they lie in, from this folder on.
    explicit InputFolder(std::vector<std::string> names);

    const std::filesystem::path& path() const { return folder_; }
    /// Writes what differs from the last input, and removes what is not there any more.
    void fill(std::string_view input);
    /// To be called after a reader that writes: the next fill() begins with an empty folder.
    void clear();

private:
    std::vector<std::string> names_;
    std::filesystem::path folder_;
    std::map<std::string, std::string> there_;
};

#ifndef PALIMPSEST_LIBFUZZER
/// Makes a target known to replay.cpp.
struct Registration {
    Registration(const char* name, int mutations, void (*run)(std::string_view));
};
#endif

}  // namespace palimpsest::fuzz

/// FUZZ_TARGET(name, mutations) { ... `input` ... }: `mutations` is how many of its corpus the tests try.
#ifdef PALIMPSEST_LIBFUZZER
#define FUZZ_TARGET(name, mutations)                                                      \
    static void fuzzTarget(std::string_view input);                                       \
    extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) { \
        fuzzTarget({reinterpret_cast<const char*>(bytes), size});                         \
        return 0;                                                                         \
    }                                                                                     \
    static void fuzzTarget(std::string_view input)
#else
#define FUZZ_TARGET(name, mutations)                                                            \
    static void fuzzTarget(std::string_view input);                                             \
    static const ::palimpsest::fuzz::Registration kRegistration(#name, mutations, &fuzzTarget); \
    static void fuzzTarget(std::string_view input)
#endif
