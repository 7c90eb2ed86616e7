// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/copy_mark.h"

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Absolute, without a slash at its end.
fs::path normalPath(const fs::path& path) {
    const fs::path normal = fs::absolute(path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

}  // namespace

std::string copiedFrom(const std::filesystem::path& folder) {
    try {
        const std::string text = readTextFile(folder / kCopyMark, FilePlace::InFolder, file_limit::kSettings);
        return plainLine(text.substr(0, text.find('\n')));
    } catch (const Error&) {
        return {};
    }
}

bool liesInCopy(const fs::path& run) {
    // The copy of a sweep has its runs in "runs".
    fs::path folder = normalPath(run);
    for (int up = 0; up < 3; ++up, folder = folder.parent_path())
        if (!copiedFrom(folder).empty()) return true;
    return false;
}

std::string computedIn(const fs::path& run) {
    return plainSentence(normalPath(run).string());
}

}  // namespace palimpsest
