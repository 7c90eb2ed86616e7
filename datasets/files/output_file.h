// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/support/error.h"

namespace palimpsest {

/// What to say when the disk refuses something at `path`; `code` is an errno.
Error diskError(const std::filesystem::path& path, int code);

/// A file being written. Every failure is the Error of diskError().
class OutputFile {
public:
    enum class Mode { Fresh, Append };  ///< Fresh: the file must not exist; Append: made where it is missing

    OutputFile(std::filesystem::path path, Mode mode);
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Throws away what is there.
    void empty();
    /// Returns when the disk has everything, so that a name given afterwards stands for whole content.
    void sync();

private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// Returns when the disk has everything below a folder.
void syncFolder(const std::filesystem::path& folder);

/// Makes a folder with all that lead to it; one that is there will do.
void makeFolder(const std::filesystem::path& folder);

/// Gives a name to what is whole, also over an older file of that name.
void publish(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace palimpsest
