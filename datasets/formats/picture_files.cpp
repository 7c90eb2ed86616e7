// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/picture_files.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <system_error>

#include "datasets/formats/image_file.h"
#include "datasets/table/source.h"
#include "engine/support/digest.h"
#include "engine/support/random.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// The first `count` samples, alternating between the classes, in ascending order. `labels` is ascending.
std::vector<std::int64_t> alternatingSamples(std::span<const std::int32_t> labels, std::int64_t count) {
    std::vector<std::int64_t> begins;
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (i == 0 || labels[i] != labels[i - 1]) begins.push_back(static_cast<std::int64_t>(i));
    begins.push_back(std::ssize(labels));
    std::vector<std::int64_t> chosen;
    for (std::int64_t round = 0; std::ssize(chosen) < count; ++round)
        for (std::size_t c = 0; c + 1 < begins.size() && std::ssize(chosen) < count; ++c)
            if (begins[c] + round < begins[c + 1]) chosen.push_back(begins[c] + round);
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

FileListing wanted(const std::function<FileListing(const DatasetRequest&)>& list, const DatasetRequest& request) {
    FileListing listing = list(request);
    for (auto& name : listing.class_names) name = plainLine(name);
    listing.train.limitTo(request.train_limit);
    listing.test.limitTo(request.test_limit);
    return listing;
}

}  // namespace

void LabelledFiles::limitTo(std::int64_t count) {
    const std::int64_t kept = limited(std::ssize(labels), count);
    if (kept == std::ssize(labels)) return;
    std::vector<std::int64_t> chosen(static_cast<std::size_t>(kept));
    std::iota(chosen.begin(), chosen.end(), 0);
    if (std::is_sorted(labels.begin(), labels.end())) chosen = alternatingSamples(labels, kept);
    *this = at(chosen);
}

LabelledFiles LabelledFiles::at(std::span<const std::int64_t> indices) const {
    LabelledFiles chosen{.root = root, .files = {}, .labels = {}, .ignored = ignored};
    for (const std::int64_t index : indices) {
        const auto i = static_cast<std::size_t>(index);
        chosen.add(files[i], labels[i]);
    }
    return chosen;
}

fs::path FileTable::path(std::int64_t index) const {
    checkImageIndex(index, size());
    return files_.root / files_.files[static_cast<std::size_t>(index)];
}

cv::Mat FileTable::image(std::int64_t index) const {
    return readImageFile(path(index));
}

std::string FileTable::name(std::int64_t index) const {
    checkImageIndex(index, size());
    return plainLine(files_.files[static_cast<std::size_t>(index)]);
}

std::string FileTable::identity() const {
    const std::lock_guard lock(identifying_);
    if (!identity_.empty()) return identity_;
    Sha256 digest;
    const auto addText = [&](std::string_view text) {
        digest.add(std::as_bytes(std::span(text)));
        digest.add(std::as_bytes(std::span("\0", 1)));
    };
    addText(files_.root.string());
    for (std::int64_t i = 0; i < size(); ++i) {
        StopScope::check();
        std::error_code missing;
        const fs::path file = path(i);
        const std::uintmax_t bytes = fs::file_size(file, missing);
        const auto changed = fs::last_write_time(file, missing).time_since_epoch().count();
        addText(files_.files[static_cast<std::size_t>(i)]);
        const std::array<std::int64_t, 2> numbers{static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(changed)};
        digest.add(std::span(numbers));
    }
    identity_ = digest.hex();
    return identity_;
}

SeededSplit seededSplit(std::int64_t count, std::uint64_t seed, SplitOrder order) {
    const std::vector<std::int64_t> drawn = TorchRandom(seed).permutation(count);
    // Computed in floating point, as in the official code.
    const auto border = drawn.begin() + static_cast<std::int64_t>(0.8 * static_cast<double>(count));
    SeededSplit split{{drawn.begin(), border}, {border, drawn.end()}};
    if (order == SplitOrder::Sorted) {
        std::sort(split.train.begin(), split.train.end());
        std::sort(split.test.begin(), split.test.end());
    }
    return split;
}

DatasetSource fileSource(DatasetInfo info, Statistics statistics,
                         std::function<FileListing(const DatasetRequest&)> list) {
    DatasetSource source;
    source.open = [info, statistics, list](const DatasetRequest& request) {
        FileListing listing = wanted(list, request);
        ImageDataset data = emptyDataset(info, std::move(listing.class_names), statistics);
        data.train = std::make_shared<FileTable>(std::move(listing.train));
        data.test = std::make_shared<FileTable>(std::move(listing.test));
        return data;
    };
    source.labels = [title = info.title, list](const DatasetRequest& request) {
        FileListing listing = wanted(list, request);
        return LabelsOnly{title, std::move(listing.class_names), std::move(listing.train.labels),
                          std::move(listing.test.labels)};
    };
    source.info = std::move(info);
    return source;
}

}  // namespace palimpsest
