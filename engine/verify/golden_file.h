// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/verify/case_check.h"

namespace palimpsest {

/// Reads a golden JSON file whose "format" must be as expected. Throws Error(Input) when it cannot be read or has
/// another format.
inline nlohmann::json readGolden(const std::filesystem::path& file, const std::string& format) {
    std::string text;
    try {
        text = readTextFile(file);
    } catch (const Error&) {
        throw inputError("The golden file " + file.string() + " cannot be read.", "Check the folder's name.");
    }
    const auto content = parsedJson<nlohmann::json>(text);
    if (content.is_discarded() || !content.is_object())
        throw inputError("The golden file " + file.string() + " is not valid JSON.", "Copy it again.");
    const auto found = content.find("format");
    if (found == content.end() || *found != format)
        throw inputError("The golden file " + file.string() + " is not of format " + format + ".",
                         "Use golden files of a version that this program understands.");
    return content;
}

/// A whole number of a case, such as a size that memory is taken for. Throws Error(Input) where it is not from `least`
/// to `most`.
inline std::int64_t wholeAt(const nlohmann::json& golden, const char* key, std::int64_t least, std::int64_t most) {
    const auto value = golden.at(key).get<std::int64_t>();
    if (value < least || value > most)
        throw inputError("\"" + std::string(key) + "\" is " + std::to_string(value) + " and not from " +
                         std::to_string(least) + " to " + std::to_string(most) + ".");
    return value;
}

/// Verifies each of the list "cases" of such a file with `verify(case, name)` and reports it. A case is named by its
/// value of `key`, or else by its number, from 1. Returns the number of cases; throws Error(Input) if there are none.
template <class Verify>
std::size_t verifyEachCase(const nlohmann::json& golden, const std::filesystem::path& file, const std::string& prefix,
                           const char* key, const CaseReport& report, const Verify& verify) {
    const auto cases = golden.find("cases");
    if (cases == golden.end() || !cases->is_array() || cases->empty())
        throw inputError("The golden file " + file.string() + " has no cases.", "Copy it again.");
    for (std::size_t i = 0; i < cases->size(); ++i) {
        const nlohmann::json& one = (*cases)[i];
        const bool named = one.is_object() && one.contains(key) && one[key].is_string();
        const std::string name = prefix + (named ? one[key].get<std::string>() : std::to_string(i + 1));
        report(guarded(name, [&] { return verify(one, name); }));
    }
    return cases->size();
}

}  // namespace palimpsest
