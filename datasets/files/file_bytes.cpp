// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/file_bytes.h"

#include "engine/support/error.h"
#include "engine/support/stop_scope.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <system_error>

namespace palimpsest {
namespace {

constexpr std::size_t kBlock = std::size_t{4} << 20U;
constexpr std::uint64_t kMostText = std::uint64_t{64} << 20U;

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::vector<std::uint8_t> readFileBytes(const std::filesystem::path& path, std::uint64_t most) {
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status))
        throw inputError("The file " + path.string() + " does not exist.", "Check the folder and the name.");
    // Opening a pipe would block for ever.
    if (!std::filesystem::is_regular_file(status)) throw inputError(path.string() + " is not a file.", "Give a file.");
    const std::uint64_t size = std::filesystem::file_size(path, failure);
    const std::unique_ptr<std::FILE, Close> file(failure ? nullptr : std::fopen(path.c_str(), "rb"));
    if (!file) throw inputError("The file " + path.string() + " cannot be opened.", "Check its permissions.");
    if (size > most)
        throw inputError("The file " + path.string() + " has " + std::to_string(size) + " bytes, where at most " +
                             std::to_string(most) + " are expected.",
                         "Check that it is the file you mean.");
    std::vector<std::uint8_t> bytes(size);
    for (std::size_t done = 0; done < bytes.size();) {
        StopScope::check();
        const std::size_t block = std::min(kBlock, bytes.size() - done);
        if (std::fread(bytes.data() + done, 1, block, file.get()) != block)
            throw inputError("The file " + path.string() + " cannot be read to its end.", "Check the disk.");
        done += block;
    }
    return bytes;
}

std::vector<std::string> readTextLines(const std::filesystem::path& path) {
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

}  // namespace palimpsest
