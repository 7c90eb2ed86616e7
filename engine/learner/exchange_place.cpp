// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/exchange_place.h"

#include <unistd.h>
#include <cstdlib>
#include <string>

#include "engine/learner/learner_messages.h"
#include "engine/support/error.h"
#include "engine/support/process.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// For batches and logits of images of 224 by 224 pixels.
constexpr std::uint64_t kBatches = std::uint64_t{64} << 20U;

}  // namespace

std::vector<ExchangePlace> exchangePlaces() {
    std::vector<fs::path> folders;
    if (const char* const runtime = std::getenv("XDG_RUNTIME_DIR")) folders.emplace_back(runtime);
    std::error_code unknown;
    if (const fs::path temporary = fs::temp_directory_path(unknown); !unknown) folders.push_back(temporary);
    try {
        folders.push_back(userFolder("PALIMPSEST_CACHE", "XDG_CACHE_HOME", ".cache", "learners"));
        fs::create_directories(folders.back(), unknown);
    } catch (const Error&) {
        // No home, no cache.
    }
    std::vector<ExchangePlace> places;
    for (const fs::path& folder : folders) {
        if (!folder.is_absolute() || !fs::is_directory(folder, unknown) || access(folder.c_str(), W_OK) != 0) continue;
        const fs::space_info space = fs::space(folder, unknown);
        places.push_back({folder, unknown ? 0 : static_cast<std::uint64_t>(space.available)});
    }
    return places;
}

fs::path exchangePlace(const std::vector<ExchangePlace>& places) {
    const ExchangePlace* best = nullptr;
    std::string tried;
    for (const ExchangePlace& place : places) {
        if (place.room >= learner_limit::kState + kBatches) return place.folder;
        // Rooms of one disk, asked for one after the other, may differ a little.
        if (best == nullptr || place.room / kBatches > best->room / kBatches) best = &place;
        tried += (tried.empty() ? "" : ", ") + place.folder.string();
    }
    if (best != nullptr && best->room >= kBatches) return best->folder;
    throw runError(tried.empty()
                       ? "There is no folder in which files for a learner can be made."
                       : "There is no room for the files of a learner, which take 64 MB and more, in " + tried + ".",
                   "Make room there, or name another folder in TMPDIR.");
}

}  // namespace palimpsest
