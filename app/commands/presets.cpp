// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/json_output.h"
#include "app/cli/text_format.h"
#include "app/commands/commands.h"
#include "engine/config/experiment_file.h"

namespace palimpsest {

void addPresets(CLI::App& app, Shell& shell) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("presets", "List the experiments that come with the program");
    command->add_flag("--json", *json, "Print one JSON object a line");
    command->callback([&shell, json] {
        shell.action = [json] {
            std::vector<std::pair<std::string, std::string>> rows;
            for (const Preset& preset : listPresets()) {
                rows.emplace_back(preset.name, preset.summary);
                if (*json) {
                    printLine({{"name", preset.name},
                               {"title", preset.title},
                               {"summary", preset.summary},
                               {"file", preset.file.string()}});
                }
            }
            if (!*json) std::cout << twoColumns(rows);
            return 0;
        };
    });
}

}  // namespace palimpsest
