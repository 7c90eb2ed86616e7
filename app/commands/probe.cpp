// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/json_output.h"
#include "app/commands/commands.h"
#include "engine/pretrain/pretrain.h"
#include "engine/support/format.h"

namespace palimpsest {

void addProbe(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string weights = "embedded";
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("probe", "Measure backbone weights by a linear probe on Fashion-MNIST");
    command->add_option("weights", given->weights, "embedded, random or a .safetensors file [embedded]")
        ->type_name("WEIGHTS");
    command->add_flag("--json", given->json, "Print a JSON object");
    command->callback([&shell, given] {
        shell.action = [given] {
            const double accuracy = probeBackbone(given->weights);
            if (given->json) {
                printLine({{"weights", given->weights}, {"accuracy", accuracy}});
            } else {
                std::cout << "Linear probe of " << given->weights << " on Fashion-MNIST:" << perCentColumn(accuracy)
                          << std::endl;
            }
            return 0;
        };
    });
}

}  // namespace palimpsest
