// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/network/backbone_file_service.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

Json backboneJson(const BackboneCard& card) {
    return {{"is", "weights"},         {"name", card.name},     {"title", card.title},
            {"summary", card.summary}, {"origin", card.origin}, {"licence", card.licence},
            {"address", card.address}, {"file", card.file},     {"checksum", card.checksum},
            {"bytes", card.bytes},     {"user", card.user},     {"embedded", card.embedded}};
}

Json backboneJson(const BackboneFacts& facts) {
    return {{"file", facts.file.string()},
            {"format", facts.format},
            {"layout", facts.layout},
            {"title", facts.title},
            {"backbone", facts.backbone},
            {"image_size", facts.image_size},
            {"patch_size", facts.patch_size},
            {"width", facts.width},
            {"depth", facts.depth},
            {"heads", facts.heads},
            {"parameters", facts.parameters},
            {"bytes", facts.bytes},
            {"head_classes", facts.head_classes},
            {"pre_norm", facts.pre_norm},
            {"quick_gelu", facts.quick_gelu},
            {"known_as", facts.known_as},
            {"notes", facts.notes}};
}

void printCard(const BackboneCard& card) {
    std::vector<std::pair<std::string, std::string>> rows = {{"  Origin", card.origin}, {"  Licence", card.licence}};
    if (card.embedded) {
        rows.emplace_back("  File", card.file + ", comes with the program");
    } else {
        rows.emplace_back("  File", card.file);
        rows.emplace_back("  Address", card.address);
        rows.emplace_back("  Place", knownBackboneFile(card.name).string());
    }
    rows.emplace_back("  Size", card.bytes > 0 ? grouped(card.bytes) + " bytes" : "not published");
    rows.emplace_back("  Checksum", card.checksum.empty() ? "not published" : card.checksum);
    if (!card.user.empty()) rows.emplace_back("  Used by", card.user);
    std::cout << card.name << ": " << card.title << ". " << card.summary << "\n" << twoColumns(rows);
}

void listBackbones(const OptionTable& table, bool json) {
    const auto cards = makeBackboneService()->cards();
    if (json) {
        for (const Choice& choice : table.catalogue().backbones)
            printLine({{"is", "backbone"}, {"name", choice.value}, {"title", choice.title}, {"help", choice.help}});
        for (const BackboneCard& card : cards) printLine(backboneJson(card));
        return;
    }
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Choice& choice : table.catalogue().backbones)
        rows.emplace_back("  " + choice.value, choice.title + ". " + choice.help);
    std::cout << "Backbones (backbone.name)\n" << twoColumns(rows) << "\nOptions\n";
    rows.clear();
    for (const Option& option : table.options())
        if (option.section() == "backbone" && option.leaf() != "name")
            rows.emplace_back("  " + option.key + " = " + toText(option.standard), option.help);
    std::cout << twoColumns(rows)
              << "\nWeights (backbone.weights = path of the file, or its name once it lies in its place)\n";
    for (const BackboneCard& card : cards) printCard(card);
}

void describe(const std::string& file, bool json) {
    const BackboneFacts facts = makeBackboneService()->facts(file);
    if (json) return printLine(backboneJson(facts));
    std::vector<std::pair<std::string, std::string>> rows = {
        {"Format", facts.format + ", names of " + facts.layout},
        {"Backbone", facts.backbone},
        {"Images", grouped(facts.image_size) + " x " + grouped(facts.image_size) + " pixels, patches of " +
                       grouped(facts.patch_size)},
        {"Network", grouped(facts.width) + " wide, " + counted(facts.depth, "block", "blocks") + ", " +
                        counted(facts.heads, "head", "heads")},
        {"Parameters", grouped(facts.parameters)},
        {"Activation", facts.quick_gelu ? "quick GELU" : "GELU"}};
    if (facts.pre_norm) rows.emplace_back("LayerNorm", "also before the first block");
    if (facts.head_classes > 0)
        rows.emplace_back("Head", "that of " + counted(facts.head_classes, "class", "classes") + " is left out");
    rows.emplace_back("Known as",
                      facts.known_as.empty() ? "none of the listed weights with a checksum" : facts.known_as);
    std::cout << facts.title << "\n" << twoColumns(rows);
    for (const std::string& note : facts.notes) std::cout << note << "\n";
}

}  // namespace

void addBackbones(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string file;
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command =
        app.add_subcommand("backbones", "List the backbones and their weights, or say what a file of weights is");
    command->add_option("FILE", given->file, "File of weights to describe");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    shell.onChosen(*command, [&shell, given] {
        if (given->file.empty())
            listBackbones(shell.table(), given->json);
        else
            describe(given->file, given->json);
        return 0;
    });
}

}  // namespace palimpsest
