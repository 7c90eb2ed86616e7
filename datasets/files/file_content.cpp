// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/file_content.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string_view>
#include <system_error>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBlock = std::size_t{4} << 20U;
constexpr std::uint64_t kMostText = std::uint64_t{64} << 20U;

}  // namespace

std::vector<std::uint8_t> readFileBytes(const fs::path& path, std::uint64_t most) {
    std::error_code failure;
    const auto status = fs::status(path, failure);
    if (!fs::exists(status))
        throw inputError("The file " + path.string() + " does not exist.", "Check the folder and the name.");
    if (!fs::is_regular_file(status)) throw inputError(path.string() + " is not a file.", "Give a file.");
    std::optional<InputFile> file;
    try {
        file.emplace(path);
    } catch (const Error&) {
        throw inputError("The file " + path.string() + " cannot be opened.", "Check its permissions.");
    }
    const std::uint64_t size = file->size();
    if (size > most)
        throw inputError("The file " + path.string() + " has " + std::to_string(size) + " bytes, where at most " +
                             std::to_string(most) + " are expected.",
                         "Check that it is the file you mean.");
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t done = 0; done < bytes.size();) {
        StopScope::check();
        const std::size_t block = std::min(kBlock, bytes.size() - done);
        if (!file->read(reinterpret_cast<char*>(bytes.data() + done), static_cast<std::streamsize>(block)))
            throw inputError("The file " + path.string() + " cannot be read to its end.", "Check the disk.");
        done += block;
    }
    return bytes;
}

std::vector<std::string> readTextLines(const fs::path& path) {
    std::vector<std::string> lines;
    std::string line;
    const auto finish = [&] {
        if (line.ends_with('\r')) line.pop_back();
        lines.push_back(std::move(line));
        line.clear();
    };
    for (const std::uint8_t byte : readFileBytes(path, kMostText)) {
        if (byte == '\n')
            finish();
        else
            line += static_cast<char>(byte);
    }
    if (!line.empty()) finish();
    return lines;
}

std::string webPageWords(const fs::path& path) {
    constexpr std::size_t kBeginning = 256;
    constexpr std::array<std::string_view, 6> kTags{"<!doctype html", "<html", "<head", "<title", "<body", "<script"};
    try {
        InputFile file(path);
        std::string beginning(kBeginning, '\0');
        file.read(beginning.data(), static_cast<std::streamsize>(kBeginning));
        beginning.resize(static_cast<std::size_t>(file.gcount()));
        std::string_view text = beginning;
        if (constexpr std::string_view kMark = "\xEF\xBB\xBF"; text.starts_with(kMark))
            text.remove_prefix(kMark.size());
        const std::string lowered = asciiLowered(trimmed(text, " \t\n\f\r"));
        if (std::ranges::none_of(kTags, [&](std::string_view tag) { return lowered.starts_with(tag); })) return {};
        return "a web page (" + grouped(static_cast<std::int64_t>(file.size())) + " bytes)";
    } catch (const Error&) {
        return {};
    }
}

Checksum Checksum::parse(const std::string& text) {
    const auto colon = text.find(':');
    const std::string kind = text.substr(0, colon);
    std::string hex = colon == std::string::npos ? "" : text.substr(colon + 1);
    std::ranges::transform(hex, hex.begin(), asciiLower);
    const std::size_t digits = kind == "sha256" ? 64 : kind == "md5" ? 32 : 0;
    if (digits == 0 || hex.size() != digits || hex.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw inputError("\"" + text + "\" is not a checksum.",
                         "Write sha256: and 64 hexadecimal digits, or md5: and 32.");
    return {kind == "md5" ? DigestKind::Md5 : DigestKind::Sha256, hex};
}

std::string Checksum::text() const {
    return (kind == DigestKind::Md5 ? "md5:" : "sha256:") + hex;
}

std::optional<Checksum> fileChecksum(const fs::path& file, DigestKind kind, const ByteProgress& progress,
                                     std::stop_token stop) {
    const auto fail = [&file](const std::string& reason) -> void {
        throw inputError("The file " + file.string() + " cannot be read: " + reason + ".",
                         "Check that it exists and that you may read it.");
    };
    std::error_code failure;
    if (fs::file_size(file, failure) > 0 && failure) fail(failure.message());
    InputFile stream(file);
    const auto total = static_cast<std::int64_t>(stream.size());
    Digest digest(kind);
    ProgressInterval interval;
    std::int64_t done = 0;
    std::vector<char> block(1 << 18);
    while (stream) {
        if (stop.stop_requested()) return std::nullopt;
        errno = 0;
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        if (stream.bad()) fail(errno != 0 ? std::strerror(errno) : "the disk gave an error");
        digest.add(std::as_bytes(std::span(block.data(), static_cast<std::size_t>(stream.gcount()))));
        done += stream.gcount();
        if (progress && interval.due()) progress(done, total);
    }
    if (progress) progress(done, total);
    return Checksum{kind, digest.hex()};
}

}  // namespace palimpsest
