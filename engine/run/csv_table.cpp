// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/csv_table.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "engine/config/text_file.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

std::optional<double> numberIn(std::string_view cell) {
    if (cell.empty()) return std::numeric_limits<double>::quiet_NaN();
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
    return value;
}

std::optional<std::vector<double>> numbersIn(const std::vector<std::string_view>& cells,
                                             const std::vector<std::size_t>& places, std::size_t width) {
    if (cells.size() != width) return std::nullopt;
    std::vector<double> row;
    for (const std::size_t place : places) {
        const std::optional<double> value = numberIn(cells[place]);
        if (!value) return std::nullopt;
        row.push_back(*value);
    }
    return row;
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

CsvTable readCsv(const std::filesystem::path& file, const std::vector<std::string>& columns) {
    CsvTable table;
    std::string text;
    try {
        text = readTextFile(file);
    } catch (const Error& error) {
        table.warnings.push_back(error.what());
        return table;
    }
    const std::string name = file.filename().string();
    std::vector<std::size_t> places;
    std::size_t width = 0;
    std::size_t from = 0;
    for (std::size_t line = 1; from < text.size(); ++line) {
        const std::size_t end = text.find('\n', from);
        if (end == std::string::npos) {
            table.torn = true;
            break;
        }
        const std::vector<std::string_view> cells = csvCells(std::string_view(text).substr(from, end - from));
        from = end + 1;
        if (line == 1) {
            width = cells.size();
            for (const std::string& column : columns) {
                const auto found = std::find(cells.begin(), cells.end(), column);
                if (found == cells.end()) {
                    table.warnings.push_back(name + " line 1: there is no column " + column + ".");
                    return table;
                }
                places.push_back(static_cast<std::size_t>(found - cells.begin()));
            }
        } else if (auto row = numbersIn(cells, places, width)) {
            table.rows.push_back(std::move(*row));
        } else {
            table.warnings.push_back(name + " line " + std::to_string(line) + ": not the numbers of the header.");
        }
    }
    return table;
}

}  // namespace palimpsest
