// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Arguments of `import`, which is `runs import` as well.
struct ImportArguments {
    std::vector<std::string> files;
    std::string name, out;
    std::optional<std::int64_t> seed;
    std::int64_t every = 0;
    bool json = false;
};

std::shared_ptr<ImportArguments> addImportArguments(CLI::App& command);

/// Imports each file and prints the folders that were made. One that cannot be read keeps no other back; the exit code
/// is 2 then.
int importFiles(const OptionTable& table, const ImportArguments& given);

}  // namespace palimpsest
