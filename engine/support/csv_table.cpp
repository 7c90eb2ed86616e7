// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/csv_table.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>

#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace {

constexpr std::streamoff kTail = 4096;  // bytes; no line of numbers is as long
/// Bytes of a line of counts, with a column for each of the most classes there can be.
constexpr std::streamsize kLongestLine = std::streamsize{2} << 20U;
constexpr std::size_t kMostWarnings = 100;  // of one file; the others are counted

std::optional<double> numberIn(std::string_view cell) {
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
    return value;
}

/// False when the cells are not the numbers of the header.
bool numbersIn(const std::vector<std::string_view>& cells, const std::vector<std::size_t>& places, std::size_t width,
               std::vector<double>& row) {
    if (cells.size() != width) return false;
    row.clear();
    for (const std::size_t place : places) {
        const std::optional<double> value = numberIn(cells[place]);
        if (!value) return false;
        row.push_back(*value);
    }
    return true;
}

/// Value in the last whole line; NaN where there is none.
double lastIn(InputFile& in, const std::string& column) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    std::string header(kTail, '\0');
    if (!in.getline(header.data(), kTail) || in.eof()) return kNone;
    header.resize(static_cast<std::size_t>(in.gcount()) - 1);
    const std::vector<std::string_view> columns = csvCells(header);
    const auto place = std::find(columns.begin(), columns.end(), column);
    const std::streamoff begin = in.tellg();
    const std::streamoff end = in.seekg(0, std::ios::end).tellg();
    if (place == columns.end() || end <= begin) return kNone;
    std::string tail(static_cast<std::size_t>(std::min(end - begin, kTail)), '\0');
    in.seekg(end - static_cast<std::streamoff>(tail.size()));
    if (!in.read(tail.data(), static_cast<std::streamsize>(tail.size()))) return kNone;
    const std::size_t stop = tail.rfind('\n');
    if (stop == std::string::npos) return kNone;
    const std::size_t before = stop > 0 ? tail.rfind('\n', stop - 1) : std::string::npos;
    // Only the line behind the header needs none before it.
    if (before == std::string::npos && static_cast<std::streamoff>(tail.size()) < end - begin) return kNone;
    const std::size_t from = before == std::string::npos ? 0 : before + 1;
    std::vector<double> row;
    const std::vector<std::string_view> cells = csvCells(std::string_view(tail).substr(from, stop - from));
    const auto index = static_cast<std::size_t>(place - columns.begin());
    return numbersIn(cells, {index}, columns.size(), row) ? row.front() : kNone;
}

/// Rows of an open file; see scanCsv().
void scanRows(InputFile& in, const std::string& name, const std::vector<std::string>& columns,
              const std::function<void(std::span<const double>)>& row, CsvScan& scan) {
    std::vector<std::size_t> places;
    std::vector<double> numbers;
    std::size_t width = 0, odd = 0;
    const auto buffer = std::make_unique_for_overwrite<char[]>(kLongestLine);
    for (std::size_t line = 1; in.getline(buffer.get(), kLongestLine); ++line) {
        if (in.eof()) {
            scan.torn = true;
            break;
        }
        const std::string_view text(buffer.get(), static_cast<std::size_t>(in.gcount()) - 1);
        const std::vector<std::string_view> cells = csvCells(text);
        if (line == 1) {
            width = cells.size();
            for (const std::string& column : columns) {
                const auto found = std::find(cells.begin(), cells.end(), column);
                if (found == cells.end()) {
                    scan.warnings.push_back(name + " line 1: there is no column " + column + ".");
                    return;
                }
                places.push_back(static_cast<std::size_t>(found - cells.begin()));
            }
        } else if (numbersIn(cells, places, width, numbers)) {
            row(numbers);
        } else if (++odd <= kMostWarnings) {
            scan.warnings.push_back(name + " line " + std::to_string(line) + ": not the numbers of the header.");
        }
    }
    if (odd > kMostWarnings)
        scan.warnings.push_back(name + ": " + std::to_string(odd - kMostWarnings) + " more lines were skipped.");
    if (!in.eof()) scan.warnings.push_back(name + ": a line is far too long, and nothing behind it was read.");
}

}  // namespace

std::vector<std::string_view> csvCells(std::string_view line) {
    std::vector<std::string_view> cells;
    for (std::size_t from = 0;;) {
        const std::size_t comma = line.find(',', from);
        cells.push_back(line.substr(from, comma - from));
        if (comma == std::string_view::npos) return cells;
        from = comma + 1;
    }
}

std::int64_t countIn(double cell) {
    return cell >= 0 && cell < 9e15 && cell == std::floor(cell) ? static_cast<std::int64_t>(cell) : -1;
}

CsvScan scanCsv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                const std::function<void(std::span<const double>)>& row, std::uint64_t most) {
    CsvScan scan;
    const std::string name = file.filename().string();
    try {
        InputFile in(file, FilePlace::InFolder);
        if (in.size() > most)
            scan.warnings.push_back(name + ": it is far too long, and was not read.");
        else
            scanRows(in, name, columns, row, scan);
        // Reading stops as at the end of the file.
        if (in.bad()) scan.warnings.push_back(name + ": the disk does not give all of it, so rows are missing.");
    } catch (const Error& error) {
        scan.warnings.emplace_back(error.what());
    }
    return scan;
}

double lastInCsv(const std::filesystem::path& file, const std::string& column) {
    try {
        InputFile in(file, FilePlace::InFolder);
        const double last = lastIn(in, column);
        return in.bad() ? std::numeric_limits<double>::quiet_NaN() : last;
    } catch (const Error&) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

CsvTable readCsv(const std::filesystem::path& file, const std::vector<std::string>& columns) {
    CsvTable table;
    static_cast<CsvScan&>(table) = scanCsv(
        file, columns, [&](std::span<const double> row) { table.rows.emplace_back(row.begin(), row.end()); },
        file_limit::kTable);
    return table;
}

}  // namespace palimpsest
