// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "datasets/formats/picture_files.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

#include <charconv>
#include <system_error>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCategories = "categories_places365.txt";
constexpr const char* kTrainList = "places365_train_standard.txt";
constexpr const char* kTestList = "places365_val.txt";
/// The training list has 1.8 million lines of about 35 bytes.
constexpr std::uint64_t kMostListBytes = std::uint64_t{1} << 28;
const char* const kFetchPlacesAgain = "Unpack its file lists again.";

DatasetInfo places365Info() {
    return {.name = "places365",
            .title = "Places365-Standard",
            .summary = "Photographs of 365 kinds of places, 1.8 million pictures.",
            .origin = "Bolei Zhou and others, Massachusetts Institute of Technology (2017)",
            .licence = "For research and teaching, not for trade; the pictures belong to their makers",
            .classes = 365,
            .train = 1803460,
            .test = 36500,
            .citation =
                "B. Zhou, A. Lapedriza, A. Khosla, A. Oliva and A. Torralba. Places: a 10 million image database for "
                "scene recognition. IEEE Transactions on Pattern Analysis and Machine Intelligence 40(6), 2018.",
            .homepage = "http://places2.csail.mit.edu/download.html"};
}

/// A line of a list: a path, a space and the number of a class.
struct ListLine {
    std::string_view path;
    std::int32_t label = 0;
};

[[noreturn]] void refuseLine(const fs::path& file, std::size_t number, std::string_view line, const std::string& what) {
    throw inputError("Line " + std::to_string(number) + " of " + plainLine(file.string()) + " should be " + what +
                         ", a space and a number from 0 to " + std::to_string(places365Info().classes - 1) +
                         ", but is \"" + plainLine(std::string(line.substr(0, 60))) + "\".",
                     kFetchPlacesAgain);
}

template <class Take>
void forEachLine(const fs::path& file, const std::string& what, const Take& take) {
    const std::vector<std::uint8_t> bytes = readFileBytes(file, kMostListBytes);
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::size_t number = 1; !text.empty(); ++number) {
        if (number % 4096 == 0) StopScope::check();
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const std::size_t space = line.rfind(' ');
        ListLine entry;
        const char* const last = line.data() + line.size();
        const auto digits = space == std::string_view::npos ? last : line.data() + space + 1;
        const auto read = std::from_chars(digits, last, entry.label);
        if (space == 0 || digits == last || read.ec != std::errc() || read.ptr != last || entry.label < 0 ||
            entry.label >= places365Info().classes)
            refuseLine(file, number, line, what);
        entry.path = line.substr(0, space);
        while (entry.path.starts_with('/')) entry.path.remove_prefix(1);
        take(entry);
    }
}

/// "/a/airfield 0" names class 0 "airfield"; "/a/apartment_building/outdoor 8" is "apartment building, outdoor".
std::vector<std::string> readCategories(const fs::path& file) {
    std::vector<std::string> names(static_cast<std::size_t>(places365Info().classes));
    std::size_t count = 0;
    forEachLine(file, "a category", [&](const ListLine& line) {
        std::string name;
        for (const char c : line.path.substr(std::min<std::size_t>(2, line.path.size())))
            name += c == '_' ? " " : c == '/' ? ", " : std::string(1, c);
        std::string& place = names[static_cast<std::size_t>(line.label)];
        count += place.empty() && !name.empty() ? 1 : 0;
        place = std::move(name);
    });
    if (count == names.size()) return names;
    throw inputError("The file " + plainLine(file.string()) + " names " + std::to_string(count) + " of the " +
                         std::to_string(names.size()) + " classes of Places365.",
                     kFetchPlacesAgain);
}

/// The first of these folders that is there; the archives unpack as the last two, torchvision renames them.
fs::path picturesIn(const fs::path& folder, const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) {
        std::error_code ignored;
        if (fs::is_directory(folder / name, ignored)) return folder / name;
        all += (all.empty() ? "" : ", ") + name;
    }
    throw inputError("In " + plainLine(folder.string()) +
                         " there is none of the folders with the pictures of Places365: " + all + ".",
                     "Unpack its archives there.");
}

LabelledFiles listPlaces(const fs::path& folder, const char* list, const std::vector<std::string>& names) {
    LabelledFiles files{.root = picturesIn(folder, names), .files = {}, .labels = {}};
    forEachLine(folder / list, "a picture", [&](const ListLine& line) { files.add(line.path, line.label); });
    if (files.labels.empty())
        throw inputError("The list " + plainLine((folder / list).string()) + " names no picture.", kFetchPlacesAgain);
    return files;
}

FileListing listPlaces365(const DatasetRequest& request) {
    const DatasetPlaces places(places365Info(), request.root, {"places365"});
    const fs::path folder = places.holding({kCategories, kTrainList, kTestList});
    return {readCategories(folder / kCategories),
            listPlaces(folder, kTrainList, {"data_256_standard", "data_large_standard", "data_256", "data_large"}),
            listPlaces(folder, kTestList, {"val_256", "val_large"})};
}

}  // namespace

DatasetSource places365Source() {
    return fileSource(places365Info(), kImageNetStatistics, listPlaces365);
}

}  // namespace palimpsest
