// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// A golden JSON file whose "format" is as expected. Throws Error(Input) when it cannot be read or is something else.
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

}  // namespace palimpsest
