// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/text_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "engine/support/durable.h"
#include "engine/support/error.h"

namespace palimpsest {

std::string readTextFile(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw inputError(file.string() + " is a folder, not a file.", "Name the file itself.");
    }
    errno = 0;
    std::ifstream in(file, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
        const std::string reason = errno ? std::strerror(errno) : "unreadable";
        throw inputError("Cannot read " + file.string() + ": " + reason + ".", "Check its name and its permissions.");
    }
    return text;
}

void replaceTextFile(const std::filesystem::path& file, std::string_view text, Keep keep) {
    std::filesystem::path aside = file;
    aside += ".part";
    errno = 0;
    std::ofstream out(aside, std::ios::binary | std::ios::trunc);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    out.close();
    if (out && keep == Keep::OnDisk) syncFile(aside);
    if (out) {
        std::error_code error;
        std::filesystem::rename(aside, file, error);
        if (!error) return;
        errno = error.value();
    }
    const std::string reason = errno ? std::strerror(errno) : "the disk refused";
    std::error_code ignored;
    std::filesystem::remove(aside, ignored);
    throw inputError("Cannot write " + file.string() + ": " + reason + ".",
                     "Choose a folder you may write to, with space left.");
}

}  // namespace palimpsest
