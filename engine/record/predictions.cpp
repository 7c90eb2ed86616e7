// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/predictions.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic("\x93NUMPY\x01\x00", 8);
constexpr std::size_t kStart = 10;      // magic, version, length of the header
constexpr std::size_t kAlignment = 64;  // of the data
constexpr std::size_t kNameDigits = 8;
constexpr std::size_t kMostClassListBytes = 1'000'000'000;
constexpr const char* kFolder = "predictions";
constexpr std::size_t kTopColumns = 2 * kTopClasses;

std::size_t widthFor(std::size_t classes) {
    return classes <= 254 ? 1 : 2;
}

std::uint32_t largest(std::size_t width) {
    return width == 1 ? 0xFF : 0xFFFF;
}

Error damaged(const fs::path& file, const std::string& what) {
    return inputError(file.string() + " is not a list of classes: " + what + ".",
                      "The other moments of the run are still there.");
}

/// The shape in the header, as in "'shape': (10000,)" or "'shape': (10000, 6)": rows and columns; a list has one
/// column.
std::pair<std::size_t, std::size_t> shapeIn(std::string_view header) {
    constexpr std::string_view kKey = "'shape': (";
    const std::size_t at = header.find(kKey);
    if (at == std::string_view::npos) return {0, 1};
    const std::string_view rest = header.substr(at + kKey.size());
    std::size_t rows = 0, columns = 0;
    const char* const end = rest.data() + rest.size();
    const char* next = std::from_chars(rest.data(), end, rows).ptr;
    while (next != end && (*next == ',' || *next == ' ')) ++next;
    const bool list = std::from_chars(next, end, columns).ec != std::errc();
    return {rows, list ? 1 : columns};
}

/// The beginning of a file, with room for its numbers.
std::string headerFor(std::size_t width, std::size_t rows, std::size_t columns) {
    std::string header = std::string("{'descr': '") + (width == 1 ? "|u1" : "<u2") +
                         "', 'fortran_order': False, 'shape': (" + std::to_string(rows) + "," +
                         (columns == 1 ? "" : " " + std::to_string(columns)) + "), }";
    header.append(kAlignment - 1 - (kStart + header.size()) % kAlignment, ' ');
    header += '\n';
    std::string text(kMagic);
    text += static_cast<char>(header.size() & 0xFF);
    text += static_cast<char>(header.size() >> 8);
    text += header;
    text.reserve(text.size() + width * rows * columns);
    return text;
}

void addNumber(std::string& text, std::size_t width, std::uint32_t number) {
    text += static_cast<char>(number & 0xFF);
    if (width == 2) text += static_cast<char>(number >> 8);
}

std::uint32_t codeOf(std::int32_t label, std::size_t width, std::size_t classes) {
    if (label >= 0 && static_cast<std::size_t>(label) < classes) return static_cast<std::uint32_t>(label);
    return label == kNoClassYet ? largest(width) - 1 : largest(width);
}

std::int32_t labelOf(std::uint32_t code, std::size_t width) {
    if (code == largest(width)) return kNotTested;
    return code == largest(width) - 1 ? kNoClassYet : static_cast<std::int32_t>(code);
}

/// As names of files have the images seen, so that names are in order.
std::string momentName(std::int64_t samplesSeen) {
    std::string name = std::to_string(samplesSeen);
    if (name.size() < kNameDigits) name.insert(0, kNameDigits - name.size(), '0');
    return name;
}

struct Numbers {
    std::size_t width = 1;  ///< bytes of each
    std::vector<std::uint32_t> values;
};

/// The numbers of a file with so many columns.
Numbers readNumbers(const fs::path& file, std::size_t columns) {
    const std::string text = readTextFile(file, FilePlace::InSubfolder, kMostClassListBytes);
    if (text.size() < kStart || !text.starts_with(kMagic)) throw damaged(file, "it does not begin like one");
    const auto byteAt = [&](std::size_t place) {
        return static_cast<std::uint32_t>(static_cast<std::uint8_t>(text[place]));
    };
    const std::size_t begin = kStart + byteAt(8) + (byteAt(9) << 8);
    if (begin > text.size()) throw damaged(file, "it ends within its header");
    const std::string_view header(text.data() + kStart, begin - kStart);
    Numbers numbers;
    numbers.width = header.find("'|u1'") != std::string_view::npos   ? 1
                    : header.find("'<u2'") != std::string_view::npos ? 2
                                                                     : 0;
    if (numbers.width == 0) throw damaged(file, "its numbers are neither one nor two bytes wide");
    const auto [rows, found] = shapeIn(header);
    if (found != columns)
        throw damaged(file, "it should have " + std::to_string(columns) + " numbers for an image and has " +
                                std::to_string(found));
    if (rows > kMostClassListBytes || text.size() - begin != rows * columns * numbers.width)
        throw damaged(file, "it should hold " + std::to_string(rows * columns) + " numbers and has " +
                                std::to_string(text.size() - begin) + " bytes of them");
    numbers.values.reserve(rows * columns);
    for (std::size_t at = begin; at < text.size(); at += numbers.width)
        numbers.values.push_back(numbers.width == 1 ? byteAt(at) : byteAt(at) + (byteAt(at + 1) << 8));
    return numbers;
}

}  // namespace

bool fitsClassList(std::size_t classes) {
    return classes > 0 && classes <= 0xFFFE;
}

std::string formatClassList(const std::vector<std::int32_t>& list, std::size_t classes) {
    const std::size_t width = widthFor(classes);
    std::string text = headerFor(width, list.size(), 1);
    for (const std::int32_t value : list) addNumber(text, width, codeOf(value, width, classes));
    return text;
}

std::vector<std::int32_t> readClassList(const fs::path& file) {
    const Numbers numbers = readNumbers(file, 1);
    std::vector<std::int32_t> list;
    list.reserve(numbers.values.size());
    for (const std::uint32_t code : numbers.values) list.push_back(labelOf(code, numbers.width));
    return list;
}

std::string formatTopClasses(const std::vector<TopClasses>& images, std::size_t classes) {
    const std::size_t width = widthFor(classes);
    std::string text = headerFor(width, images.size(), kTopColumns);
    for (const TopClasses& image : images) {
        for (const ClassShare& one : image) addNumber(text, width, codeOf(one.label, width, classes));
        for (const ClassShare& one : image) {
            const float share = one.share >= 0 && one.share <= 1 ? one.share : 0;  // also where it is not a number
            addNumber(text, width, static_cast<std::uint32_t>(std::lround(share * static_cast<float>(largest(width)))));
        }
    }
    return text;
}

std::vector<TopClasses> readTopClasses(const fs::path& file) {
    const Numbers numbers = readNumbers(file, kTopColumns);
    const auto whole = static_cast<float>(largest(numbers.width));
    std::vector<TopClasses> images(numbers.values.size() / kTopColumns);
    for (std::size_t image = 0; image < images.size(); ++image) {
        const std::span row = std::span(numbers.values).subspan(image * kTopColumns, kTopColumns);
        for (std::size_t i = 0; i < kTopClasses; ++i)
            images[image][i] = {labelOf(row[i], numbers.width), static_cast<float>(row[kTopClasses + i]) / whole};
    }
    return images;
}

fs::path predictionsFolder(const fs::path& run) {
    return run / kFolder;
}

fs::path trueClassesFile(const fs::path& run) {
    return run / kFolder / "labels.npy";
}

fs::path predictionsFile(const fs::path& run, std::int64_t samplesSeen) {
    return run / kFolder / (momentName(samplesSeen) + ".npy");
}

fs::path topClassesFile(const fs::path& run, std::int64_t samplesSeen) {
    return run / kFolder / ("top-" + momentName(samplesSeen) + ".npy");
}

std::vector<std::int64_t> predictionMoments(const fs::path& run) {
    std::vector<std::int64_t> moments;
    std::error_code ignored;
    // A link in place of the folder leads to files that are not the run's.
    if (fs::is_symlink(run / kFolder, ignored)) return moments;
    for (const fs::path& file : folderEntries(run / kFolder)) {
        const std::string name = file.stem().string();
        std::int64_t seen = 0;
        const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), seen);
        const bool whole = error == std::errc() && stop == name.data() + name.size();
        if (whole && seen >= 0 && file.extension() == ".npy") moments.push_back(seen);
    }
    std::sort(moments.begin(), moments.end());
    moments.erase(std::unique(moments.begin(), moments.end()), moments.end());
    return moments;
}

std::int64_t ConfusionCounts::images(std::size_t row) const {
    const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(row * answers.size());
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(answers.size()), std::int64_t{0});
}

ConfusionCounts countConfusion(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                               const std::vector<std::int32_t>& seen) {
    ConfusionCounts result;
    const std::size_t images = std::min(truth.size(), predictions.size());
    // Classes that were tested or answered by then, among those that came at any time.
    std::set<std::int32_t> present;
    for (std::size_t i = 0; i < images; ++i)
        if (predictions[i] != kNotTested) present.insert({truth[i], predictions[i]});
    for (const std::int32_t label : seen)
        if (present.erase(label) > 0) result.labels.push_back(label);
    const bool unnamed = present.erase(kNoClassYet) > 0;
    // A damaged file may name classes that never came.
    for (const std::int32_t label : present)
        if (label >= 0) result.labels.push_back(label);
    result.answers = result.labels;
    if (unnamed) result.answers.push_back(kNoClassYet);

    std::unordered_map<std::int32_t, std::size_t> rows, columns;
    for (const std::int32_t label : result.labels) rows.emplace(label, rows.size());
    for (const std::int32_t label : result.answers) columns.emplace(label, columns.size());
    result.counts.assign(result.labels.size() * result.answers.size(), 0);
    for (std::size_t i = 0; i < images; ++i) {
        const auto row = rows.find(truth[i]), column = columns.find(predictions[i]);
        if (row != rows.end() && column != columns.end())
            ++result.counts[row->second * result.answers.size() + column->second];
    }
    return result;
}

}  // namespace palimpsest
