// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/commands/attention_picture.h"
#include "app/commands/commands.h"
#include "engine/support/append_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "engine/train/attention.h"

namespace palimpsest {
namespace {

struct AttentionArguments {
    std::string run;
    std::int64_t image = 0;
    std::optional<std::int64_t> at;
    bool csv = false, json = false;
    std::string png;
};

std::string padTo(std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string attentionClass(const ImageAttention& attention) {
    return plainLine(attention.class_names.at(static_cast<std::size_t>(attention.label)));
}

double ofPatches(const BlockAttention& block) {
    return 1 - block.own - block.prompts;
}

void printAttentionTable(const ImageAttention& attention) {
    std::cout << "After " << counted(attention.samples_seen, "image", "images") << ": test image "
              << grouped(attention.image) << ", " << attentionClass(attention);
    if (!attention.chosen.empty()) {
        std::cout << "; " << (attention.chosen.size() == 1 ? "prompt" : "prompts") << " ";
        for (std::size_t i = 0; i < attention.chosen.size(); ++i)
            std::cout << (i > 0 ? ", " : "") << attention.chosen[i] + 1
                      << (i + 1 < attention.chosen.size() ? "" : " of its pool");
    }
    std::cout << "\n" << attentionSentence(attention) << "\n";
    if (attention.answers_from_prompts)
        std::cout << "The head of this method sees the prompts' own outputs, not the class token.\n";
    std::cout << "\n"
              << padTo("Block", 8) << (attention.hasPrompts() ? padTo("Prompts", 10) : std::string())
              << padTo("Itself", 10) << padTo("Patches", 10) << padTo("Strongest patch", 24)
              << (attention.hasPrompts() ? "Without prompts" : "") << "\n";
    const std::vector<BlockAttention>& shown = attention.hasPrompts() ? attention.with : attention.without;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const BlockAttention& block = shown[i];
        std::cout << padTo(std::to_string(i + 1), 8)
                  << (attention.hasPrompts()
                          ? padTo(block.prompt_tokens > 0 ? perCent(block.prompts) + " %" : std::string("none"), 10)
                          : std::string())
                  << padTo(perCent(block.own) + " %", 10) << padTo(perCent(ofPatches(block)) + " %", 10)
                  << padTo(strongestPatch(block, attention.side), 24)
                  << (attention.hasPrompts() ? strongestPatch(attention.without.at(i), attention.side) : "") << "\n";
    }
}

/// One row for each block and key: "own", "prompts", or a patch with its row and column, counted from 1.
void printAttentionCsv(const ImageAttention& attention) {
    std::cout << "samples_seen,image,prompts,block,key,row,column,share\n";
    const auto rows = [&](const std::vector<BlockAttention>& blocks, const char* prompts) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            const std::string start = std::to_string(attention.samples_seen) + "," + std::to_string(attention.image) +
                                      "," + prompts + "," + std::to_string(i + 1) + ",";
            std::cout << start << "own,,," << shortestText(blocks[i].own) << "\n"
                      << start << "prompts,,," << shortestText(blocks[i].prompts) << "\n";
            for (std::size_t p = 0; p < blocks[i].patches.size(); ++p) {
                const auto place = static_cast<std::int64_t>(p);
                std::cout << start << "patch," << place / attention.side + 1 << "," << place % attention.side + 1 << ","
                          << shortestText(static_cast<double>(blocks[i].patches[p])) << "\n";
            }
        }
    };
    rows(attention.without, "without");
    rows(attention.with, "with");
}

Json blocksJson(const std::vector<BlockAttention>& blocks) {
    Json all = Json::array();
    for (const BlockAttention& block : blocks)
        all.push_back({{"own", block.own},
                       {"prompts", block.prompts},
                       {"prompt_tokens", block.prompt_tokens},
                       {"patches", block.patches}});
    return all;
}

void printAttentionJson(const ImageAttention& attention) {
    printLine({{"samples_seen", attention.samples_seen},
               {"image", attention.image},
               {"class", attentionClass(attention)},
               {"side", attention.side},
               {"chosen", attention.chosen},
               {"without_prompts", blocksJson(attention.without)},
               {"with_prompts", attention.hasPrompts() ? blocksJson(attention.with) : Json()},
               {"sentence", attentionSentence(attention)}});
}

int lookAt(const OptionTable& table, const AttentionArguments& given) {
    std::stop_source stop;
    const InterruptGuard guard([&](Interrupt) { stop.request_stop(); });
    const StopScope scope(stop.get_token());
    ImageAttention attention;
    try {
        attention = imageAttention(table, given.run, given.image, given.at);
    } catch (const GivenUp&) {
        std::cerr << "Stopped before anything was shown." << std::endl;
        return 1;
    }
    if (!given.png.empty()) replaceTextFile(given.png, attentionPng(attention));
    if (given.json)
        printAttentionJson(attention);
    else if (given.csv)
        printAttentionCsv(attention);
    else
        printAttentionTable(attention);
    return 0;
}

}  // namespace

void addAttention(CLI::App& app, Shell& shell) {
    auto given = std::make_shared<AttentionArguments>();
    CLI::App* command = app.add_subcommand(
        "attention", "Show where a run's network looks in a test image, and how much its prompts get");
    addAllowLearner(*command);
    command->add_option("run", given->run, "A run folder")->type_name("RUN")->required();
    command->add_option("--image", given->image, "Place in the test set, from 0")->type_name("N")->required();
    command->add_option("--at", given->at, "Images seen: the checkpoint there or before it; else the newest")
        ->type_name("IMAGES");
    CLI::Option* csv = command->add_flag("--csv", given->csv, "Print a table with every block and patch");
    command->add_flag("--json", given->json, "Print one JSON object")->excludes(csv);
    command->add_option("--png", given->png, "Also write the maps as a picture")->type_name("FILE");
    command->footer(
        "Shares: softmax(q K^T / sqrt(d)) of the class token, the mean over heads; each block's sum to 100 %.\n"
        "The run is only read, and goes on to the same numbers, looked at or not.\n"
        "Exit codes: 0 shown; 1 stopped, or it failed; 2 wrong input. docs/methods.md says what attention shows.");
    shell.onChosen(*command, [&shell, given] { return lookAt(shell.table(), *given); });
}

}  // namespace palimpsest
