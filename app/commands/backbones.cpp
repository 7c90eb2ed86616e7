// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <iostream>
#include <stop_token>
#include <string>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "app/commands/fetch_printer.h"
#include "datasets/fetching/transfer.h"
#include "engine/inputs/backbone_cards.h"
#include "engine/network/backbone_fetch.h"
#include "engine/network/backbone_file_service.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

Json backboneJson(const BackboneCard& card) {
    return {{"is", "weights"},
            {"name", card.name},
            {"title", card.title},
            {"summary", card.summary},
            {"origin", card.origin},
            {"licence", card.licence},
            {"address", card.address},
            {"file", card.file},
            {"checksum", card.checksum},
            {"bytes", card.bytes},
            {"user", card.user},
            {"embedded", card.embedded},
            {"urls", card.urls},
            {"kind", card.kind},
            {"place", card.place.string()},
            {"present", card.present},
            {"remembered", card.remembered}};
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
        if (!card.urls.empty() && card.urls.front() != card.address)
            rows.emplace_back("  Fetched from", card.urls.front());
        rows.emplace_back("  Place", card.place.string() + (card.present ? " (there)" : " (not there)"));
    }
    rows.emplace_back("  Size", card.bytes > 0 ? grouped(card.bytes) + " bytes" : "not published");
    rows.emplace_back("  Checksum", !card.checksum.empty()     ? card.checksum
                                    : !card.remembered.empty() ? card.remembered + ", of the first fetch"
                                                               : "not published");
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

struct BackboneFetchArguments {
    std::string name, have;
    std::vector<std::string> mirrors;
    bool yes = false, offline = false, new_file = false, json = false;
};

/// The card, as it is on this computer.
BackboneCard cardHere(const std::string& name) {
    const std::string known = knownBackbone(name).name;
    for (BackboneCard& card : makeBackboneService()->cards())
        if (card.name == known) return card;
    return knownBackbone(name);
}

/// Weights without an address are got by hand, whatever their licence.
void requireAddress(const BackboneCard& card, const BackboneFetchArguments& given) {
    requireMirrors(given.mirrors);
    if (!card.urls.empty() || !given.mirrors.empty()) return;
    throw inputError(card.title + " cannot be fetched from here: there is no address for " + card.file + ".",
                     "Get it by hand at " + card.address +
                         ", then give the file with --have, or name an address with "
                         "--mirror.");
}

/// Asks on a terminal; elsewhere --yes has to be given.
void requireConsent(const BackboneCard& card, const BackboneFetchArguments& given) {
    if (given.offline || !given.have.empty() || (card.present && !given.new_file)) return;
    requireAddress(card, given);
    if (given.yes) return;
    const bool stated = card.licence != kLicenceNotStated;
    if (!given.json) printCard(card);
    if (!given.json && isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) {
        std::cout << (stated ? "Fetch it under this licence? [y/N] "
                             : "Fetch it under a licence that its makers do not state? [y/N] ")
                  << std::flush;
        std::string answer;
        std::getline(std::cin, answer);
        if (!answer.empty() && (answer.front() == 'y' || answer.front() == 'Y')) return;
        throw inputError("Nothing was fetched.", "Answer y, or add --yes.");
    }
    throw inputError("Nothing was fetched: " + card.file + " comes from " +
                         (!given.mirrors.empty() ? withoutPassword(given.mirrors.front())
                          : card.urls.empty()    ? card.address
                                                 : card.urls.front()) +
                         " under " +
                         (stated ? "the licence " + card.licence : "a licence that its makers do not state") + ", " +
                         (card.bytes > 0 ? grouped(card.bytes) + " bytes" : "its size is not published") + ".",
                     "Add --yes to agree and fetch it.");
}

int fetchKnown(const BackboneFetchArguments& given) {
    const BackboneCard card = cardHere(given.name);
    requireConsent(card, given);
    std::stop_source stop;
    const InterruptGuard guard([&stop](Interrupt) { stop.request_stop(); });
    FetchPrinter printer(given.json);
    BackboneFetchSettings settings;
    settings.have = given.have;
    settings.mirrors = given.mirrors;
    settings.offline = given.offline;
    settings.new_file = given.new_file;
    settings.stop = stop.get_token();
    settings.progress = [&printer](const FetchProgress& now) { printer(now); };
    BackboneFetchOutcome outcome;
    try {
        outcome = fetchBackbone(card, settings);
    } catch (...) {
        printer.clear();
        throw;
    }
    printer.clear();
    if (given.json) {
        printLine({{"event", outcome.stopped ? "stopped" : "fetched"},
                   {"name", card.name},
                   {"file", outcome.file.string()},
                   {"checksum", outcome.checksum}});
    } else if (outcome.stopped) {
        std::cout << "Stopped. What has come is kept, and the next call goes on from there." << std::endl;
    } else {
        std::cout << card.title << (outcome.there ? " was there already, in " : " is in ") << outcome.file.string()
                  << "\nUse it with: --set backbone.name=" << (card.kind.empty() ? "any" : card.kind)
                  << " --set backbone.weights=" << card.name << std::endl;
    }
    return outcome.stopped ? 1 : 0;
}

void addBackboneFetch(CLI::App& command, Shell& shell) {
    auto given = std::make_shared<BackboneFetchArguments>();
    CLI::App* verb = command.add_subcommand("fetch", "Download well-known weights and check them");
    verb->add_option("name", given->name, "Name of the weights, as `palimpsest-cli backbones` says it")
        ->type_name("NAME")
        ->required();
    verb->add_flag("--yes", given->yes, "Agree to their licence, without a question");
    verb->add_option("--have", given->have, "The file, where you already have it")->type_name("FILE");
    verb->add_option("--mirror", given->mirrors,
                     "An address to try before the weights' own; the file's name is appended (repeat for more)")
        ->type_name("URL")
        ->allow_extra_args(false);
    verb->add_flag("--offline", given->offline, "Check what is there, without a network");
    verb->add_flag("--new-file", given->new_file,
                   "Take another file than the one that was fetched first, where its makers have changed it");
    verb->add_flag("--json", given->json, "Print one JSON object a line");
    verb->footer(
        "Ctrl-C stops; the next call goes on from there. The proxy is the environment's: https_proxy, http_proxy,\n"
        "all_proxy, no_proxy.");
    shell.onChosen(*verb, [given] { return fetchKnown(*given); });
}

}  // namespace

void addBackbones(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string file;
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand(
        "backbones", "List the backbones and their weights, say what a file of weights is, or fetch one");
    command->add_option("file", given->file, "File of weights to describe")->type_name("FILE");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    command->require_subcommand(0, 1);
    addBackboneFetch(*command, shell);
    // Called after those of the verbs, and whichever is called last decides.
    command->callback([&shell, given, command] {
        if (!command->get_subcommands().empty()) return;
        shell.action = [&shell, given] {
            if (given->file.empty())
                listBackbones(shell.table(), given->json);
            else
                describe(given->file, given->json);
            return 0;
        };
    });
}

}  // namespace palimpsest
