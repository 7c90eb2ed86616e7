// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// Reads a golden JSON file whose "format" must be as expected. Throws Error(Input) when it cannot be read or has
/// another format.
inline nlohmann::json readGolden(const std::filesystem::path& file, const std::string& format) {
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw inputError("The golden file " + file.string() + " cannot be read.", "Check the folder's name.");
    const nlohmann::json content = nlohmann::json::parse(stream, nullptr, false);
    if (content.is_discarded() || !content.is_object())
        throw inputError("The golden file " + file.string() + " is not valid JSON.", "Copy it again.");
    const auto found = content.find("format");
    if (found == content.end() || *found != format)
        throw inputError("The golden file " + file.string() + " is not of format " + format + ".",
                         "Use golden files of a version that this program understands.");
    return content;
}

/// The list "cases" of such a file.
inline const nlohmann::json& goldenCases(const nlohmann::json& golden, const std::filesystem::path& file) {
    const auto cases = golden.find("cases");
    if (cases == golden.end() || !cases->is_array() || cases->empty())
        throw inputError("The golden file " + file.string() + " has no cases.", "Copy it again.");
    return *cases;
}

/// Name of a case, its value of `key`, or else its number, from 1.
inline std::string caseName(const nlohmann::json& one, const char* key, std::size_t number) {
    const bool named = one.is_object() && one.contains(key) && one[key].is_string();
    return named ? one[key].get<std::string>() : std::to_string(number);
}

}  // namespace palimpsest
