// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/new_run_folder.h"

#include "engine/run/utc_time.h"
#include "engine/support/slug.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestName = 40;

}  // namespace

fs::path makeRunFolder(const fs::path& parent, const std::string& name, std::int64_t seed,
                       const std::string& nameless) {
    std::error_code error;
    fs::create_directories(parent, error);
    if (error) throw cannotMakeRunFolder(parent, error);
    const std::string text = slug(name, kLongestName);
    const std::string base = (text.empty() ? nameless : text) + "-" + std::to_string(seed) + "-" + utcStamp();
    for (int attempt = 1;; ++attempt) {
        const fs::path folder = parent / (attempt == 1 ? base : base + "-" + std::to_string(attempt));
        if (fs::create_directory(folder, error)) return folder;
        if (error) throw cannotMakeRunFolder(folder, error);
    }
}

Error cannotMakeRunFolder(const fs::path& folder, const std::error_code& error) {
    return inputError("Cannot make the run folder " + folder.string() + ": " + error.message() + ".",
                      "Choose a folder you may write to.");
}

}  // namespace palimpsest
