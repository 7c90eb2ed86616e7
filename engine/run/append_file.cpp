// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "engine/config/option_table.h"

namespace palimpsest {

std::string csvCell(double value) {
    return std::isfinite(value) ? toText(OptionValue(value)) : std::string();
}

std::string csvCell(std::int64_t value) {
    return std::to_string(value);
}

std::string csvCell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

AppendFile::AppendFile(std::filesystem::path file, std::string_view header)
    : path_(std::move(file)), pending_(std::string(header) + "\n") {
    open(O_CREAT);
    flush();
}

AppendFile::AppendFile(std::filesystem::path file, std::int64_t length) : path_(std::move(file)), length_(length) {
    open(0);
    struct stat now {};
    if (file_ < 0 || fstat(file_, &now) != 0) {
        fail();
        return;
    }
    if (now.st_size < length) {
        failure_ = "The file " + path_.string() + " is shorter than it was";
        return;
    }
    if (ftruncate(file_, length) != 0) fail();
}

AppendFile::~AppendFile() {
    if (file_ >= 0) close(file_);
}

void AppendFile::open(int flags) {
    file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | flags, 0666);
    if (file_ < 0) fail();
}

void AppendFile::row(std::span<const std::string> cells) {
    bool first = true;
    for (const std::string& cell : cells) {
        if (!first) pending_ += ',';
        pending_ += cell;
        first = false;
    }
    pending_ += '\n';
}

void AppendFile::flush() {
    while (failure_.empty() && !pending_.empty()) {
        const ssize_t taken = write(file_, pending_.data(), pending_.size());
        if (taken < 0) {
            if (errno != EINTR) fail();
            continue;
        }
        // A disk that fills up may take a part of it.
        pending_.erase(0, static_cast<std::size_t>(taken));
        length_ += taken;
    }
}

void AppendFile::sync() {
    flush();
    if (failure_.empty() && fdatasync(file_) != 0) fail();
}

void AppendFile::retry() {
    if (file_ < 0) return;
    failure_.clear();
    flush();
}

void AppendFile::fail() {
    if (failure_.empty()) failure_ = "Cannot write " + path_.string() + ": " + std::strerror(errno);
}

}  // namespace palimpsest
