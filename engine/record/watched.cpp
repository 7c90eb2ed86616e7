// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/watched.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <system_error>
#include <utility>

#include "engine/run/run_events.h"
#include "engine/support/csv_table.h"
#include "engine/support/file_io.h"
#include "engine/support/own_drawings.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostShares = 1 + kWatchedOthers;

bool isLabel(double cell) {
    return cell >= 0 && cell < std::numeric_limits<std::int32_t>::max() && cell == std::floor(cell);
}

}  // namespace

std::size_t WatchedImage::momentUpTo(std::int64_t samplesSeen) const {
    const auto after = std::ranges::upper_bound(moments, samplesSeen, {}, &WatchedMoment::samples_seen);
    return after == moments.begin() ? moments.size() : static_cast<std::size_t>(after - moments.begin()) - 1;
}

std::size_t WatchedImage::forgottenSince(std::size_t moment) const {
    if (moment >= moments.size() || moments[moment].recognised()) return moments.size();
    std::size_t since = moment;
    for (std::size_t at = moment; at-- > 0; since = at)
        if (moments[at].recognised()) return since;
    return moments.size();
}

std::vector<WatchedImage> readWatched(const std::filesystem::path& run, std::vector<std::string>* warnings) {
    std::vector<WatchedImage> images;
    std::size_t rows = 0;
    std::error_code failure;
    if (!std::filesystem::exists(std::filesystem::symlink_status(run / kWatchedFile, failure))) return images;
    CsvScan scan = scanCsv(
        run / kWatchedFile, {"samples_seen", "image", "class", "probability"},
        [&](std::span<const double> row) {
            if (rows >= kMostWatchedRows) return;
            const std::int64_t seen = countIn(row[0]), place = countIn(row[1]);
            const bool classless = std::isnan(row[2]);
            if (seen < 0 || place < 0 || !(row[3] >= 0 && row[3] <= 1) || (!classless && !isLabel(row[2]))) return;
            const WatchedShare share{place, classless ? kNoClassYet : static_cast<std::int32_t>(row[2]), row[3]};
            auto found = std::ranges::find(images, place, &WatchedImage::image);
            if (found == images.end()) {
                // The first row is that of the true class.
                if (images.size() >= kMostWatched || classless) return;
                found = images.insert(images.end(), {place, share.label, {}});
            }
            std::vector<WatchedMoment>& moments = found->moments;
            if (moments.empty() || moments.back().samples_seen < seen) {
                if (share.label != found->label) return;
                moments.push_back({seen, {share}});
                ++rows;
            } else if (moments.back().samples_seen == seen && moments.back().shares.size() < kMostShares) {
                moments.back().shares.push_back(share);
                ++rows;
            }
        },
        file_limit::kTable);
    if (warnings) *warnings = std::move(scan.warnings);
    std::erase_if(images, [](const WatchedImage& image) { return image.moments.empty(); });
    return images;
}

}  // namespace palimpsest
