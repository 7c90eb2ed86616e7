// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {

std::string csvCell(double value) {
    return std::isfinite(value) ? shortestText(value) : std::string();
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

std::string tableCell(std::string_view text) {
    const std::string plain = plainSentence(text);
    double number = 0;
    const auto [stop, error] = std::from_chars(plain.data(), plain.data() + plain.size(), number);
    const bool isNumber = error == std::errc() && stop == plain.data() + plain.size();
    const bool formula =
        !isNumber && !plain.empty() && std::string_view("=+-@").find(plain.front()) != std::string::npos;
    return csvCell(std::string_view(formula ? "'" + plain : plain));
}

AppendFile::AppendFile(std::filesystem::path file, std::string_view header)
    : path_(std::move(file)), flags_(O_CREAT | O_EXCL), pending_(std::string(header) + "\n") {
    open();
    flush();
}

AppendFile::AppendFile(std::filesystem::path file, std::int64_t length)
    : path_(std::move(file)), length_(length), synced_(length) {
    open();
    struct stat now {};
    if (file_ < 0) return;
    if (fstat(file_, &now) != 0) {
        fail();
        return;
    }
    if (now.st_size < length) {
        failure_ = "The file " + path_.string() + " is shorter than it was";
        return;
    }
    if (ftruncate(file_, length) != 0) {
        fail();
        return;
    }
    std::string block(std::size_t{1} << 16U, '\0');
    while (hashed_ < length) {
        const auto most = std::min<std::size_t>(block.size(), static_cast<std::size_t>(length - hashed_));
        const ssize_t got = pread(file_, block.data(), most, hashed_);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) {
            fail();
            return;
        }
        digest_.add(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(got))));
        hashed_ += got;
    }
}

AppendFile::~AppendFile() {
    if (file_ >= 0) close(file_);
}

void AppendFile::open() {
    try {
        file_ = openRegularFile(path_, FilePlace::InFolder, O_RDWR | O_APPEND | flags_);
        // Made once: from now on it is there, or another program took it away.
        flags_ = 0;
    } catch (const Error& error) {
        failure_ = error.what();
        while (failure_.ends_with('.')) failure_.pop_back();
        return;
    }
    if (!tryLock(file_)) {
        close(std::exchange(file_, -1));
        failure_ = "Another program writes " + path_.string();
    }
}

bool AppendFile::isThere() {
    struct stat now {};
    if (fstat(file_, &now) != 0 || now.st_nlink > 0) return true;
    // Rows would go nowhere.
    failure_ = "The file " + path_.string() + " is no longer there";
    return false;
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
    if (failure_.empty() && !pending_.empty() && !isThere()) return;
    while (failure_.empty() && !pending_.empty()) {
        const ssize_t written = write(file_, pending_.data(), pending_.size());
        if (written < 0) {
            if (errno != EINTR) fail();
            continue;
        }
        // A disk that fills up may take a part of it.
        const std::string_view taken(pending_.data(), static_cast<std::size_t>(written));
        length_ += written;
        hashUpTo(length_, taken);
        pending_.erase(0, taken.size());
    }
}

void AppendFile::sync() {
    flush();
    if (!failure_.empty() || !isThere()) return;
    if (fdatasync(file_) == 0) {
        synced_ = length_;
    } else {
        fail();
        unsynced_ = true;
    }
}

/// `lastBytes`: those before `end`. What is written a second time was hashed the first time.
void AppendFile::hashUpTo(std::int64_t end, std::string_view lastBytes) {
    if (end <= hashed_) return;
    lastBytes.remove_prefix(lastBytes.size() - static_cast<std::size_t>(end - hashed_));
    digest_.add(std::as_bytes(std::span(lastBytes)));
    hashed_ = end;
}

/// Bytes that the disk refused may be lost although the system calls them written: they are written once more.
bool AppendFile::requeueUnsynced() {
    std::string lost(static_cast<std::size_t>(length_ - synced_), '\0');
    for (std::size_t done = 0; done < lost.size();) {
        const ssize_t written =
            pread(file_, lost.data() + done, lost.size() - done, synced_ + static_cast<off_t>(done));
        if (written <= 0) return false;
        done += static_cast<std::size_t>(written);
    }
    if (ftruncate(file_, synced_) != 0) return false;
    pending_.insert(0, lost);
    length_ = synced_;
    return true;
}

void AppendFile::retry() {
    failure_.clear();
    if (file_ < 0) open();
    if (!failure_.empty() || !isThere()) return;
    if (!unsynced_) {
        flush();
    } else if (requeueUnsynced()) {
        unsynced_ = false;
        sync();
    } else {
        fail();
    }
}

void AppendFile::fail() {
    if (failure_.empty()) failure_ = "Cannot write " + path_.string() + ": " + std::strerror(errno);
}

}  // namespace palimpsest
