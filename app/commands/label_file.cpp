// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/label_file.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "datasets/formats/idx.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace {

bool isBinary(std::string_view content) {
    return content.starts_with("\x1f\x8b") || content.starts_with(std::string_view("\0\0", 2));
}

std::string_view trimmedLine(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

/// Checks a label. `place`: "line" or "label", which count from 1.
void requireClass(const std::filesystem::path& file, const char* place, std::int64_t number, std::int32_t label,
                  std::optional<std::int64_t> classes) {
    if (!classes || label < *classes) return;
    throw inputError(file.string() + ", " + place + " " + std::to_string(number) + ": there is no class " +
                         std::to_string(label) + " among " + std::to_string(*classes) +
                         (*classes == 1 ? " class" : " classes") + ", which count from 0.",
                     "Correct the label or --classes.");
}

}  // namespace

std::vector<std::int32_t> readLabelFile(const std::filesystem::path& file, std::optional<std::int64_t> classes) {
    const std::string content = readTextFile(file);
    if (isBinary(content)) {
        const std::vector<std::uint8_t> bytes = readIdxLabels(file);
        for (std::size_t i = 0; i < bytes.size(); ++i) {
            requireClass(file, "label", static_cast<std::int64_t>(i) + 1, bytes[i], classes);
        }
        return {bytes.begin(), bytes.end()};
    }
    std::vector<std::int32_t> labels;
    std::size_t from = 0;
    for (std::int64_t number = 1; from < content.size(); ++number) {
        const std::size_t end = std::min(content.find('\n', from), content.size());
        const std::string_view line = trimmedLine(std::string_view(content).substr(from, end - from));
        from = end + 1;
        if (line.empty()) continue;
        std::int32_t label = 0;
        const auto [stop, error] = std::from_chars(line.data(), line.data() + line.size(), label);
        if (error != std::errc() || stop != line.data() + line.size() || label < 0) {
            throw inputError(file.string() + ", line " + std::to_string(number) + ": \"" +
                                 std::string(line.substr(0, 40)) + "\" is not a label.",
                             "Write one whole number from 0 on a line, or give an IDX label file.");
        }
        requireClass(file, "line", number, label, classes);
        labels.push_back(label);
    }
    if (labels.empty()) throw inputError(file.string() + " holds no labels.", "Write one whole number on a line.");
    return labels;
}

}  // namespace palimpsest
