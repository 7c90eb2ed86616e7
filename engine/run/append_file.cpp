// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/append_file.h"

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
    : file_(std::move(file)), pending_(std::string(header) + "\n") {
    errno = 0;
    out_.open(file_, std::ios::binary | std::ios::app);
    note();
    flush();
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
    if (!failure_.empty() || pending_.empty()) return;
    errno = 0;
    out_.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
    out_.flush();
    pending_.clear();
    note();
}

void AppendFile::note() {
    if (out_ || !failure_.empty()) return;
    failure_ = "Cannot write " + file_.string() + ": " + (errno ? std::strerror(errno) : "the disk refused");
}

}  // namespace palimpsest
