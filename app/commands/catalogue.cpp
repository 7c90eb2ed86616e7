// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/config/experiment_file.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

void printMasks(const OptionTable& table, bool json) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Choice& mask : table.catalogue().masks) {
        if (json) printLine({{"name", mask.value}, {"title", mask.title}, {"help", mask.help}});
        rows.emplace_back(mask.value, mask.title + ". " + mask.help);
    }
    if (json) return;
    std::cout << twoColumns(rows) << '\n';
    // A mask has more settings than its name.
    rows.clear();
    for (const Option& option : table.options()) {
        if (option.section() != "mask" || option.key == "mask.name") continue;
        std::string choices;
        for (const Choice& known : option.choices) choices += (choices.empty() ? "" : ", ") + known.value;
        rows.emplace_back(option.key, option.help + " One of " + choices + ".");
    }
    std::cout << twoColumns(rows);
}

/// Number as text; 0: known only once the data set is opened.
std::string countText(std::int64_t count) {
    return count > 0 ? grouped(count) : "as many as its files hold";
}

void printDatasets(bool json) {
    for (const DatasetInfo& info : datasetCatalogue()) {
        if (json) {
            printLine({{"name", info.name},
                       {"title", info.title},
                       {"help", info.summary},
                       {"origin", info.origin},
                       {"licence", info.licence},
                       {"classes", info.classes},
                       {"train", info.train},
                       {"test", info.test},
                       {"procedural", info.procedural}});
            continue;
        }
        std::cout << info.name << ": " << info.title << ". " << info.summary << "\n"
                  << twoColumns({{"  Classes", countText(info.classes)},
                                 {"  Images",
                                  "for training " + countText(info.train) + ", for testing " + countText(info.test)},
                                 {"  Origin", info.origin},
                                 {"  Licence", info.licence}});
    }
}

void printPresets(bool json) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Preset& preset : listPresets()) {
        rows.emplace_back(preset.name, preset.summary);
        if (json)
            printLine({{"name", preset.name},
                       {"title", preset.title},
                       {"summary", preset.summary},
                       {"file", preset.file.string()}});
    }
    if (!json) std::cout << twoColumns(rows);
}

void add(CLI::App& app, const char* name, const char* help, Shell& shell, std::function<void(bool json)> printAll) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand(name, help);
    command->add_flag("--json", *json, "Print one JSON object a line");
    shell.onChosen(*command, [json, printAll] {
        printAll(*json);
        return 0;
    });
}

}  // namespace

void addMasks(CLI::App& app, Shell& shell) {
    add(app, "masks", "List the logit masks", shell, [&shell](bool json) { printMasks(shell.table(), json); });
}

void addDatasets(CLI::App& app, Shell& shell) {
    add(app, "datasets", "List the data sets with origin and licence", shell, printDatasets);
}

void addPresets(CLI::App& app, Shell& shell) {
    add(app, "presets", "List the experiments that come with the program", shell, printPresets);
}

}  // namespace palimpsest
