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
#include <tuple>
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
constexpr std::int64_t kFewestTopMoments = 8, kMostTopMoments = 400;
constexpr std::string_view kTopPrefix = "top-";
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

/// A file whose header has been read: rows of numbers, which are decoded as they are asked for.
class NumberFile {
public:
    /// Throws Error(Input) for a file that has no such columns, more than `most` rows, or another length than it says.
    NumberFile(const fs::path& file, std::size_t columns, std::int64_t most)
        : path_(file), columns_(columns), in_(file, FilePlace::InSubfolder) {
        std::string start(kStart, '\0');
        if (!in_.read(start.data(), kStart) || !start.starts_with(kMagic))
            throw damaged(file, "it does not begin like one");
        const auto byteAt = [&](std::size_t place) { return std::size_t{static_cast<std::uint8_t>(start[place])}; };
        std::string header(byteAt(8) + (byteAt(9) << 8U), '\0');
        if (!in_.read(header.data(), std::ssize(header))) throw damaged(file, "it ends within its header");
        width_ = header.find("'|u1'") != std::string::npos ? 1 : header.find("'<u2'") != std::string::npos ? 2 : 0;
        if (width_ == 0) throw damaged(file, "its numbers are neither one nor two bytes wide");
        std::size_t found = 0;
        std::tie(rows_, found) = shapeIn(header);
        if (found != columns)
            throw damaged(file, "it should have " + std::to_string(columns) + " numbers for an image and has " +
                                    std::to_string(found));
        if (rows_ > static_cast<std::size_t>(most))
            throw damaged(file, "it has more than " + std::to_string(most) + " images");
        begin_ = kStart + header.size();
        if (in_.size() - begin_ != rows_ * columns * width_)
            throw damaged(file, "it should hold " + std::to_string(rows_ * columns) + " numbers and has " +
                                    std::to_string(in_.size() - begin_) + " bytes of them");
    }

    std::size_t rows() const { return rows_; }
    std::size_t width() const { return width_; }

    /// The rows behind those that were read last.
    std::span<const std::uint32_t> next(std::size_t rows) {
        bytes_.resize(rows * columns_ * width_);
        if (!in_.read(bytes_.data(), std::ssize(bytes_))) throw damaged(path_, "it became shorter meanwhile");
        numbers_.clear();
        for (std::size_t at = 0; at < bytes_.size(); at += width_)
            numbers_.push_back(width_ == 1 ? byteOf(at) : byteOf(at) + (byteOf(at + 1) << 8U));
        return numbers_;
    }
    std::span<const std::uint32_t> row(std::size_t place) {
        in_.seekg(static_cast<std::streamoff>(begin_ + place * columns_ * width_));
        return next(1);
    }
    /// All rows in their order, some at a time.
    template <class Take>
    void all(Take take) {
        constexpr std::size_t kAtOnce = 16'384;
        for (std::size_t done = 0; done < rows_; done += kAtOnce) take(next(std::min(kAtOnce, rows_ - done)));
    }

private:
    std::uint32_t byteOf(std::size_t place) const { return static_cast<std::uint8_t>(bytes_[place]); }

    const fs::path path_;
    const std::size_t columns_;
    InputFile in_;
    std::size_t width_ = 1, rows_ = 0, begin_ = 0;
    std::string bytes_;
    std::vector<std::uint32_t> numbers_;
};

TopClasses topClassesIn(std::span<const std::uint32_t> row, std::size_t width) {
    TopClasses image;
    for (std::size_t i = 0; i < kTopClasses; ++i)
        image[i] = {labelOf(row[i], width),
                    static_cast<float>(row[kTopClasses + i]) / static_cast<float>(largest(width))};
    return image;
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

std::vector<std::int32_t> readClassList(const fs::path& file, std::int64_t most) {
    NumberFile numbers(file, 1, most);
    std::vector<std::int32_t> list;
    list.reserve(numbers.rows());
    numbers.all([&](std::span<const std::uint32_t> codes) {
        for (const std::uint32_t code : codes) list.push_back(labelOf(code, numbers.width()));
    });
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
    NumberFile numbers(file, kTopColumns, kMostTestImages);
    std::vector<TopClasses> images;
    images.reserve(numbers.rows());
    numbers.all([&](std::span<const std::uint32_t> some) {
        for (std::size_t at = 0; at < some.size(); at += kTopColumns)
            images.push_back(topClassesIn(some.subspan(at, kTopColumns), numbers.width()));
    });
    return images;
}

std::vector<TopClasses> readTopClasses(const fs::path& file, const std::vector<std::int64_t>& images) {
    NumberFile numbers(file, kTopColumns, kMostTestImages);
    std::vector<TopClasses> found(images.size());
    for (std::size_t i = 0; i < images.size(); ++i)
        if (const auto place = static_cast<std::size_t>(images[i]); place < numbers.rows())
            found[i] = topClassesIn(numbers.row(place), numbers.width());
    return found;
}

bool recordsTopClasses(std::int64_t samplesSeen, std::int64_t last, std::int64_t testImages, std::size_t classes,
                       std::int64_t total) {
    if (testImages <= 0 || testImages > kMostTestImages || samplesSeen <= last) return false;
    if (last < 0 || total <= 0) return true;
    const auto row = static_cast<std::int64_t>(kTopColumns * widthFor(classes));
    const std::int64_t parts = std::clamp(kMostTopBytes / (testImages * row), kFewestTopMoments, kMostTopMoments);
    return samplesSeen * parts / total > last * parts / total;
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
    return run / kFolder / (std::string(kTopPrefix) + momentName(samplesSeen) + ".npy");
}

std::vector<MomentFile> momentFiles(const fs::path& run) {
    std::vector<MomentFile> files;
    std::error_code ignored;
    // A link in place of the folder leads to files that are not the run's.
    if (fs::is_symlink(run / kFolder, ignored)) return files;
    for (const fs::path& file : folderEntries(run / kFolder)) {
        const std::string name = file.stem().string();
        const bool top = name.starts_with(kTopPrefix);
        const std::string_view digits = std::string_view(name).substr(top ? kTopPrefix.size() : 0);
        std::int64_t seen = 0;
        const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seen);
        const bool whole = error == std::errc() && stop == digits.data() + digits.size();
        if (whole && seen >= 0 && file.extension() == ".npy") files.push_back({seen, top, file});
    }
    std::ranges::sort(files, {},
                      [](const MomentFile& one) { return std::tie(one.samples_seen, one.top_classes, one.file); });
    return files;
}

std::vector<std::int64_t> predictionMoments(const fs::path& run) {
    std::vector<std::int64_t> moments;
    for (const MomentFile& one : momentFiles(run))
        if (!one.top_classes && (moments.empty() || moments.back() != one.samples_seen))
            moments.push_back(one.samples_seen);
    return moments;
}

std::vector<RecordedPrediction> recordedPredictions(const fs::path& run) {
    std::vector<RecordedPrediction> recorded;
    if (!isPlainFile(run / kPredictionHashes)) return recorded;
    const std::string text = readTextFile(run / kPredictionHashes, FilePlace::InFolder, file_limit::kTable);
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = text.find('\n', from);
        if (end == std::string::npos) break;
        const std::string line = text.substr(from, end - from);
        const std::size_t comma = line.find(',');
        // The names lie in predictions/: a path would lead elsewhere. The header has no such name.
        const std::string file = line.substr(0, comma);
        if (comma != std::string::npos && file.ends_with(".npy") && file.find('/') == std::string::npos)
            recorded.push_back({file, line.substr(comma + 1), static_cast<std::int64_t>(end + 1)});
        from = end + 1;
    }
    return recorded;
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
