// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/checkpoint_ring.h"

#include <algorithm>

#include "engine/record/checkpoint_record.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kAlwaysKept = 2;

/// The description first: without it the tensors are no checkpoint.
void drop(const fs::path& run, std::int64_t samplesSeen) {
    std::error_code ignored;
    fs::remove(checkpointDescription(run, samplesSeen), ignored);
    fs::remove(checkpointTensors(run, samplesSeen), ignored);
}

/// Removes what a program that was killed while it wrote left behind: tensors that nothing describes.
void dropLeftovers(const fs::path& run) {
    std::error_code ignored;
    std::vector<fs::path> left;
    for (fs::directory_iterator entry(checkpointsFolder(run), ignored), end; !ignored && entry != end;
         entry.increment(ignored)) {
        const fs::path file = entry->path();
        fs::path description = file;
        description.replace_extension(".json");
        if (file.extension() != ".json" && !fs::exists(description, ignored)) left.push_back(file);
        if (file.extension() == ".part" || file.extension() == ".new") left.push_back(file);
    }
    for (const fs::path& file : left) fs::remove(file, ignored);
}

}  // namespace

std::vector<std::int64_t> thinnedOut(std::vector<KeptCheckpoint> kept, std::int64_t budget) {
    std::vector<std::int64_t> given;
    std::int64_t bytes = 0;
    for (const KeptCheckpoint& one : kept) bytes += one.bytes;
    while (bytes > budget && kept.size() > kAlwaysKept) {
        const double newest = static_cast<double>(kept.back().samples_seen);
        std::size_t best = 0;
        double least = 0;
        for (std::size_t i = 0; i + kAlwaysKept < kept.size(); ++i) {
            const std::int64_t before = i == 0 ? 0 : kept[i - 1].samples_seen;
            const double gap = static_cast<double>(kept[i + 1].samples_seen - before);
            const double share = gap / (newest - static_cast<double>(kept[i].samples_seen) + 1);
            if (i == 0 || share < least) {
                best = i;
                least = share;
            }
        }
        given.push_back(kept[best].samples_seen);
        bytes -= kept[best].bytes;
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(best));
    }
    return given;
}

void thinCheckpoints(const fs::path& run, std::int64_t budget) {
    std::vector<std::int64_t> samples = listCheckpoints(run);
    std::vector<KeptCheckpoint> kept;
    for (auto one = samples.rbegin(); one != samples.rend(); ++one) {
        std::error_code unreadable;
        const auto bytes = fs::file_size(checkpointTensors(run, *one), unreadable);
        kept.push_back({*one, unreadable ? 0 : static_cast<std::int64_t>(bytes)});
    }
    for (const std::int64_t one : thinnedOut(std::move(kept), budget)) drop(run, one);
    dropLeftovers(run);
}

void dropCheckpointsAfter(const fs::path& run, std::int64_t samplesSeen) {
    for (const std::int64_t one : listCheckpoints(run))
        if (one > samplesSeen) drop(run, one);
    dropLeftovers(run);
}

}  // namespace palimpsest
