// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace {

std::map<std::string, int (*)(int, char**)>& entries() {
    static std::map<std::string, int (*)(int, char**)> all;
    return all;
}

}  // namespace

palimpsest::testing::TestEntry::TestEntry(const char* file, int (*run)(int, char**)) {
    entries().emplace(std::filesystem::path(file).stem().string(), run);
}

int main(int argc, char** argv) {
    const auto found = argc > 1 ? entries().find(argv[1]) : entries().end();
    if (found == entries().end()) {
        std::fprintf(stderr, "usage: %s TEST [options of Qt Test]; tests:\n", argv[0]);
        for (const auto& [name, run] : entries()) std::fprintf(stderr, "  %s\n", name.c_str());
        return 2;
    }
    // Qt Test gets the program's name and its own options.
    std::rotate(argv + 1, argv + 2, argv + argc);
    argv[--argc] = nullptr;
    return found->second(argc, argv);
}
