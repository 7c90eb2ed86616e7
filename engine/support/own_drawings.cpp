// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/own_drawings.h"

#include <algorithm>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kLongestBase = 8192;  // bytes of base.txt

/// The text up to the next end of a line, which goes with it.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

bool isCatalogueName(std::string_view name) {
    const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, fits);
}

}  // namespace

DrawingsBase parseDrawingsBase(std::string_view text, const std::filesystem::path& file) {
    const std::string_view name = takeLine(text);
    const std::string_view root = takeLine(text);
    if (!isCatalogueName(name) || !isPlainLine(root) || !text.empty())
        throw inputError("The file " + plainLine(file.string()) +
                             " does not name the data set that own classes are "
                             "added to.",
                         "Its first line is the name of a data set, such as icons.");
    if (name == kOwnDrawings)
        throw inputError("The file " + plainLine(file.string()) + " adds own drawings to own drawings.",
                         "Name another data set in its first line, such as icons.");
    return {std::string(name), std::filesystem::path(root)};
}

DrawingsBase readDrawingsBase(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kDrawingsBase;
    if (!isPlainFile(file))
        throw inputError("The folder " + plainLine(folder.string()) + " is none of own drawings: it has no file " +
                             kDrawingsBase + ".",
                         "Draw a class in the window (File > Draw a class), or name the folder that it was saved in.");
    return parseDrawingsBase(readTextFile(file, FilePlace::InFolder, kLongestBase), file);
}

void writeDrawingsBase(const std::filesystem::path& folder, const DrawingsBase& base) {
    std::string text = base.dataset + "\n";
    if (!base.root.empty()) text += base.root.string() + "\n";
    parseDrawingsBase(text, folder / kDrawingsBase);
    replaceTextFile(folder / kDrawingsBase, text, Keep::OnDiskWithName, FilePlace::InFolder);
}

}  // namespace palimpsest
