// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/documents/command_tree.h"
#include "engine/config/experiment_file.h"
#include "engine/config/option_table.h"

namespace palimpsest {

/// palimpsest-cli(1): every command and every flag.
std::string commandLinePage(const std::vector<DocumentedCommand>& commands);
/// palimpsest(1): the window.
std::string windowPage(const std::vector<Preset>& presets);
/// palimpsest-experiment(5): every key of an experiment file.
std::string experimentPage(const OptionTable& table, const std::vector<Preset>& presets);

/// Text as man's language writes it: nothing in it is taken for a request, and words between backticks are bold.
std::string roffText(const std::string& text);

}  // namespace palimpsest
