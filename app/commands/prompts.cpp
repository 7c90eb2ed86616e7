// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <filesystem>
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/method/initial_prompts.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

std::string shapeText(const std::vector<std::int64_t>& shape) {
    std::string text;
    for (const std::int64_t extent : shape) text += (text.empty() ? "" : " x ") + std::to_string(extent);
    return text;
}

/// The number as text. NaN propagates to every sum, minimum and maximum, whatever else a file holds.
std::string numberText(double value) {
    return std::isnan(value) ? "not a number" : fixedText(value, 6);
}

std::string rangeText(const PromptFacts& facts) {
    if (std::isnan(facts.minimum) || std::isnan(facts.maximum)) return "holds values that are not a number";
    return numberText(facts.minimum) + " to " + numberText(facts.maximum);
}

void printPrompts(const std::vector<PromptFacts>& all) {
    for (const PromptFacts& facts : all) {
        std::cout << facts.name << '\n'
                  << twoColumns({{"  shape", shapeText(facts.shape)},
                                 {"  mean", numberText(facts.mean)},
                                 {"  deviation", numberText(facts.deviation)},
                                 {"  range", rangeText(facts)},
                                 {"  SHA-256", facts.sha256}});
    }
}

Json asJson(const PromptFacts& facts) {
    return {{"name", facts.name},           {"shape", facts.shape},     {"mean", facts.mean},
            {"deviation", facts.deviation}, {"minimum", facts.minimum}, {"maximum", facts.maximum},
            {"sha256", facts.sha256}};
}

}  // namespace

void addPrompts(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string from, out;
        bool json = false, force = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("prompts", "Show the prompts of a file, and write them as .safetensors");
    command->add_option("from", given->from, "File of prompts, or the folder of g_prompt.pt and e_prompt.pt")
        ->type_name("FILE|FOLDER")
        ->required();
    command->add_option("--out", given->out, "Write them to this .safetensors file")->type_name("FILE");
    command->add_flag("--force", given->force, "Replace a file that is there already");
    command->add_flag("--json", given->json, "Print a JSON object");
    shell.onChosen(*command, [given] {
        std::error_code unreadable;
        if (!given->force && !given->out.empty() && std::filesystem::exists(given->out, unreadable))
            throw inputError(given->out + " is there already.", "Name another file, or add --force to replace it.");
        const std::vector<PromptFacts> all = promptFacts(given->from, given->out);
        if (given->json) {
            Json tensors = Json::array();
            for (const PromptFacts& facts : all) tensors.push_back(asJson(facts));
            Json line{{"from", given->from}, {"tensors", tensors}};
            if (!given->out.empty()) line["written"] = given->out;
            printLine(line);
        } else {
            printPrompts(all);
            if (!given->out.empty()) std::cout << "Written to " << given->out << std::endl;
        }
        return 0;
    });
}

}  // namespace palimpsest
