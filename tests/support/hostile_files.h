// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/stat.h>

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace palimpsest::test {

// Files that somebody may have put into a folder to harm those who open it.

inline void plantText(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::remove_all(file);
    std::ofstream(file, std::ios::binary) << text;
}

inline std::string plantedText(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void plantPipe(const std::filesystem::path& file) {
    std::filesystem::remove_all(file);
    QCOMPARE(mkfifo(file.c_str(), 0600), 0);
}

inline void plantLink(const std::filesystem::path& file, const std::filesystem::path& target) {
    std::filesystem::remove_all(file);
    std::filesystem::create_symlink(target, file);
}

/// Bytes that were never written: they take no room on the disk, but all of the memory of who reads them.
inline void plantHole(const std::filesystem::path& file, std::uintmax_t bytes) {
    plantText(file, "");
    std::filesystem::resize_file(file, bytes);
}

/// A JSON text with lists so deep in each other that a reader that calls itself for each needs more than the stack.
inline std::string deepJson(std::size_t depth = 400'000) {
    return R"({"state": "finished", "started": "2026", "x": )" + std::string(depth, '[') + std::string(depth, ']') +
           "}";
}

/// A TOML text with a key of as many parts.
inline std::string deepToml(std::size_t parts = 400'000) {
    std::string text = "a";
    for (std::size_t i = 1; i < parts; ++i) text += ".a";
    return text + " = 1\n";
}

}  // namespace palimpsest::test
