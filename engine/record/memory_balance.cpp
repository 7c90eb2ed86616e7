// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/memory_balance.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "engine/support/append_file.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace {

/// Cells are shorter: "class_65535,".
constexpr std::size_t kLongestCell = 16;
constexpr std::size_t kRowsRead = 4;
constexpr const char* kSeen = "samples_seen";

std::string columnOf(std::size_t label) {
    return "class_" + std::to_string(label);
}

std::optional<std::int64_t> keptCount(std::string_view cell) {
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
    const bool sound =
        error == std::errc() && end == cell.data() + cell.size() && count >= 0 && count <= kMostKeptOfClass;
    return sound ? std::optional(count) : std::nullopt;
}

/// Absent: no row of a file with so many columns, or no count of images. Columns behind the classes are ignored.
std::optional<MemoryBalance> balanceIn(std::string_view line, std::size_t columns, std::size_t classes) {
    const std::vector<std::string_view> cells = csvCells(line);
    if (cells.size() != columns) return std::nullopt;
    const std::optional<std::int64_t> seen = keptCount(cells.front());
    if (!seen) return std::nullopt;
    MemoryBalance balance;
    balance.samples_seen = *seen;
    balance.kept.resize(classes);
    for (std::size_t label = 0; label < classes; ++label) {
        const std::string_view cell = cells[label + 1];
        if (cell.empty()) continue;
        balance.kept[label] = keptCount(cell);
        if (!balance.kept[label]) return std::nullopt;
    }
    return balance;
}

std::string readAt(std::istream& in, std::size_t from, std::size_t length) {
    std::string text(length, '\0');
    in.clear();
    in.seekg(static_cast<std::streamoff>(from));
    in.read(text.data(), static_cast<std::streamsize>(length));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, in.gcount())));
    return text;
}

}  // namespace

std::int64_t MemoryBalance::total() const {
    std::int64_t sum = 0;
    for (const auto& count : kept) sum += count.value_or(0);
    return sum;
}

MemoryBalance balanceOf(const MemoryHeld& held, std::size_t classes) {
    MemoryBalance balance;
    balance.samples_seen = held.samples_seen;
    balance.kept.resize(classes);
    const auto countOf = [&](std::int32_t label) -> std::int64_t& {
        const auto place = static_cast<std::size_t>(label);
        if (place >= balance.kept.size()) balance.kept.resize(place + 1);
        auto& count = balance.kept[place];
        return count ? *count : count.emplace(0);
    };
    for (const std::int32_t label : held.seen_classes) countOf(label);
    for (const KeptSample& sample : held.kept) ++countOf(sample.label);
    return balance;
}

std::vector<std::string> memoryColumns(std::size_t classes) {
    std::vector<std::string> columns{kSeen};
    for (std::size_t label = 0; label < classes; ++label) columns.push_back(columnOf(label));
    return columns;
}

std::vector<std::string> memoryRow(const MemoryBalance& balance) {
    std::vector<std::string> cells{csvCell(balance.samples_seen)};
    for (const auto& count : balance.kept) cells.push_back(count ? csvCell(*count) : std::string());
    return cells;
}

LastBalance readLastBalance(const std::filesystem::path& file, std::size_t classes) {
    LastBalance last;
    const std::string name = file.filename().string();
    std::optional<InputFile> opened;
    try {
        opened.emplace(file, FilePlace::InFolder);
    } catch (const Error&) {
        last.warnings.push_back(name + ": it cannot be read.");
        return last;
    }
    InputFile& in = *opened;
    const auto size = static_cast<std::size_t>(in.size());
    const std::string start = readAt(in, 0, std::min(size, (kMostClasses + 2) * kLongestCell));
    const std::size_t end = start.find('\n');
    if (end == std::string::npos) {
        last.torn = !start.empty();
        return last;
    }
    const std::vector<std::string_view> header = csvCells(std::string_view(start).substr(0, end));
    std::size_t known = 0;
    while (known < std::min(classes, header.size() - 1) && header[known + 1] == columnOf(known)) ++known;
    if (header.front() != kSeen || known == 0) {
        last.warnings.push_back(name + " line 1: there is no column " +
                                (header.front() != kSeen ? kSeen : columnOf(0)) + ".");
        return last;
    }
    // The file of a long run is long, and only what the memory kept last is asked for.
    const std::size_t room = kRowsRead * header.size() * kLongestCell;
    const std::size_t from = std::max(end + 1, size - std::min(size, room));
    const std::string tail = readAt(in, from, size - from);
    std::string_view rows = tail;
    last.torn = !rows.empty() && rows.back() != '\n';
    rows = rows.substr(0, rows.rfind('\n') + 1);
    // The first line is whole only where it follows the header.
    if (from > end + 1) rows.remove_prefix(std::min(rows.size(), rows.find('\n') + 1));
    bool skipped = false;
    while (!rows.empty() && !last.balance) {
        rows.remove_suffix(1);
        const std::size_t before = rows.rfind('\n');
        const std::size_t first = before == std::string_view::npos ? 0 : before + 1;
        last.balance = balanceIn(rows.substr(first), header.size(), known);
        skipped = skipped || !last.balance;
        rows = rows.substr(0, first);
    }
    if (skipped) last.warnings.push_back(name + ": a row that counts no images was skipped.");
    return last;
}

}  // namespace palimpsest
