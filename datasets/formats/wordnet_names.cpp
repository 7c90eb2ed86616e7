// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/wordnet_names.h"

#include "datasets/files/file_bytes.h"

#include <algorithm>
#include <map>
#include <system_error>

namespace palimpsest {
namespace {

constexpr std::size_t kNumberLength = 9;

/// Names by WordNet number, from one file.
std::map<std::string, std::string> readNames(const std::filesystem::path& file) {
    std::map<std::string, std::string> names;
    for (const auto& line : readTextLines(file)) {
        const std::string number = line.substr(0, kNumberLength);
        if (line.size() < kNumberLength + 2 || !isWordnetNumber(number)) continue;
        const std::size_t begin = line.find_first_not_of(" \t", kNumberLength);
        if (begin == kNumberLength || begin == std::string::npos) continue;
        std::string name = line.substr(begin, line.find(',', begin) - begin);
        std::replace(name.begin(), name.end(), '_', ' ');
        names.emplace(number, std::move(name));
    }
    return names;
}

}  // namespace

bool isWordnetNumber(const std::string& text) {
    return text.size() == kNumberLength && text[0] == 'n' &&
           std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<std::string> wordnetNames(const std::vector<std::string>& classes,
                                      const std::vector<std::filesystem::path>& files) {
    std::error_code ignored;
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& candidate) {
        return std::filesystem::is_regular_file(candidate, ignored);
    });
    if (file == files.end()) return classes;
    const auto known = readNames(*file);
    std::vector<std::string> names;
    std::map<std::string, int> uses;
    for (const auto& number : classes) {
        const auto found = known.find(number);
        names.push_back(found == known.end() ? number : found->second);
        ++uses[names.back()];
    }
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (uses[names[c]] > 1) names[c] += " (" + classes[c] + ")";
    return names;
}

}  // namespace palimpsest
