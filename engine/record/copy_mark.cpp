// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/copy_mark.h"

#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Absolute, without links, and without a slash at its end.
fs::path realPath(const fs::path& path) {
    std::error_code failed;
    const fs::path real = fs::weakly_canonical(path, failed);
    const fs::path normal = failed ? fs::absolute(path).lexically_normal() : real;
    return normal.has_filename() ? normal : normal.parent_path();
}

/// The first line of a file in a folder; empty where it cannot be read.
std::string firstLine(const fs::path& file) {
    try {
        const std::string text = readTextFile(file, FilePlace::InFolder, file_limit::kSettings);
        return plainLine(text.substr(0, text.find('\n')));
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

std::string copiedFrom(const std::filesystem::path& folder) {
    return firstLine(folder / kCopyMark);
}

std::optional<CopyOf> copyAround(const fs::path& run) {
    // The copy of a sweep has its runs in "runs".
    fs::path folder = realPath(run);
    for (int up = 0; up < 3; ++up, folder = folder.parent_path())
        if (std::string place = copiedFrom(folder); !place.empty()) return CopyOf{folder, std::move(place)};
    return std::nullopt;
}

bool liesInCopy(const fs::path& run) {
    return copyAround(run).has_value();
}

std::string markComputedHere(const fs::path& run) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device device;
    std::string words;
    for (int i = 0; i < 32; ++i) words += kDigits[device() % kDigits.size()];
    replaceTextFile(run / kComputedHere, words + "\n", Keep::Written, FilePlace::InFolder);
    return words;
}

bool isComputedHere(const fs::path& run, const std::string& computedIn) {
    return !computedIn.empty() && firstLine(run / kComputedHere) == computedIn;
}

}  // namespace palimpsest
