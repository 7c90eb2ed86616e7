// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/predictions.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "engine/run/run_events.h"
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

/// The number behind `key` in the header, as in "'shape': (10000,)"; 0 when there is none.
std::size_t numberAfter(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos) return 0;
    std::size_t number = 0;
    const std::string_view rest = header.substr(at + key.size());
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
    return number;
}

}  // namespace

bool fitsClassList(std::size_t classes) {
    return classes > 0 && classes <= 0xFFFE;
}

std::string formatClassList(const std::vector<std::int32_t>& list, std::size_t classes) {
    const std::size_t width = widthFor(classes);
    std::string header = std::string("{'descr': '") + (width == 1 ? "|u1" : "<u2") +
                         "', 'fortran_order': False, 'shape': (" + std::to_string(list.size()) + ",), }";
    header.append(kAlignment - 1 - (kStart + header.size()) % kAlignment, ' ');
    header += '\n';
    std::string text(kMagic);
    text += static_cast<char>(header.size() & 0xFF);
    text += static_cast<char>(header.size() >> 8);
    text += header;
    text.reserve(text.size() + width * list.size());
    for (const std::int32_t value : list) {
        const std::uint32_t most = largest(width);
        const bool known = value >= 0 && static_cast<std::size_t>(value) < classes;
        const std::uint32_t code = known ? static_cast<std::uint32_t>(value) : (value == kNoClassYet ? most - 1 : most);
        text += static_cast<char>(code & 0xFF);
        if (width == 2) text += static_cast<char>(code >> 8);
    }
    return text;
}

std::vector<std::int32_t> readClassList(const fs::path& file) {
    const std::string text = readTextFile(file, FilePlace::InSubfolder, kMostClassListBytes);
    if (text.size() < kStart || !text.starts_with(kMagic)) throw damaged(file, "it does not begin like one");
    const auto byteAt = [&](std::size_t place) {
        return static_cast<std::uint32_t>(static_cast<std::uint8_t>(text[place]));
    };
    const std::size_t begin = kStart + byteAt(8) + (byteAt(9) << 8);
    if (begin > text.size()) throw damaged(file, "it ends within its header");
    const std::string_view header(text.data() + kStart, begin - kStart);
    const std::size_t width = header.find("'|u1'") != std::string_view::npos   ? 1
                              : header.find("'<u2'") != std::string_view::npos ? 2
                                                                               : 0;
    if (width == 0) throw damaged(file, "its numbers are neither one nor two bytes wide");
    const std::size_t count = numberAfter(header, "'shape': (");
    if (count > kMostClassListBytes || text.size() - begin != count * width)
        throw damaged(file, "it should hold " + std::to_string(count) + " numbers and has " +
                                std::to_string(text.size() - begin) + " bytes of them");
    std::vector<std::int32_t> list;
    list.reserve(count);
    for (std::size_t at = begin; at < text.size(); at += width) {
        const std::uint32_t code = width == 1 ? byteAt(at) : byteAt(at) + (byteAt(at + 1) << 8);
        list.push_back(code == largest(width)       ? kNotTested
                       : code == largest(width) - 1 ? kNoClassYet
                                                    : static_cast<std::int32_t>(code));
    }
    return list;
}

fs::path predictionsFolder(const fs::path& run) {
    return run / kFolder;
}

fs::path trueClassesFile(const fs::path& run) {
    return run / kFolder / "labels.npy";
}

fs::path predictionsFile(const fs::path& run, std::int64_t samplesSeen) {
    std::string name = std::to_string(samplesSeen);
    if (name.size() < kNameDigits) name.insert(0, kNameDigits - name.size(), '0');
    return run / kFolder / (name + ".npy");
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
