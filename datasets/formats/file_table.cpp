// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/file_table.h"

#include "datasets/formats/image_file.h"
#include "datasets/table/table_support.h"
#include "engine/support/digest.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <system_error>

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// The first `count` samples, alternating between the classes, in ascending order. `labels` is ascending.
std::vector<std::int64_t> inTurn(std::span<const std::int32_t> labels, std::int64_t count) {
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

}  // namespace

void LabelledFiles::keep(std::int64_t count) {
    const std::int64_t kept = limited(std::ssize(labels), count);
    if (kept == std::ssize(labels)) return;
    std::vector<std::int64_t> chosen(static_cast<std::size_t>(kept));
    std::iota(chosen.begin(), chosen.end(), 0);
    if (std::is_sorted(labels.begin(), labels.end())) chosen = inTurn(labels, kept);
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

}  // namespace palimpsest
