// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <iostream>
#include <stop_token>
#include <system_error>

#include "app/cli/interrupt_guard.h"
#include "app/cli/output.h"
#include "app/commands/dataset_verbs.h"
#include "app/commands/fetch_printer.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/fetch.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

struct FetchArguments : DatasetArguments {
    std::string have;
    std::vector<std::string> mirrors;
    bool offline = false;
};

/// Remark about a folder that was copied as it was, without checksums to check.
std::string noteOf(const FetchArguments& given, const FetchOutcome& outcome) {
    std::error_code ignored;
    if (outcome.stopped || !std::filesystem::is_directory(given.have, ignored)) return {};
    try {
        const LabelsOnly labels = openLabels(given.request());
        const std::string numbers =
            numbersNote(catalogueEntry(given.name), std::ssize(labels.train), std::ssize(labels.test));
        return numbers.empty() ? ""
                               : "Yours has " + grouped(std::ssize(labels.train)) + " training and " +
                                     grouped(std::ssize(labels.test)) + " test images. " + numbers;
    } catch (const Error& error) {
        return error.what();
    }
}

void printEnd(const FetchArguments& given, const FetchOutcome& outcome) {
    const std::string note = noteOf(given, outcome);
    if (given.json) {
        printLine({{"event", outcome.stopped ? "stopped" : "fetched"},
                   {"name", given.name},
                   {"folder", outcome.folder.string()},
                   {"note", note}});
        return;
    }
    if (!note.empty()) std::cout << "Note: " << note << "\n";
    const DatasetInfo& info = catalogueEntry(given.name);
    const std::string& title = info.title;
    if (outcome.elsewhere) {
        std::cout << title << " is here already, in " << outcome.folder.string()
                  << (info.files.empty() ? "." : "; name a folder with --root to fetch it there.") << std::endl;
    } else if (outcome.stopped) {
        std::cout << "Stopped. What has come is kept, and the next call goes on from there." << std::endl;
    } else if (outcome.folder.empty()) {
        std::cout << title << " is made by the program; there is nothing to fetch." << std::endl;
    } else {
        std::cout << title << " is complete in " << outcome.folder.string() << std::endl;
    }
}

int fetch(const FetchArguments& given) {
    std::stop_source stop;
    const InterruptGuard guard([&stop](Interrupt) { stop.request_stop(); });
    FetchPrinter printer(given.json);
    FetchSettings settings;
    settings.root = given.root;
    settings.have = given.have;
    settings.mirrors = given.mirrors;
    settings.offline = given.offline;
    settings.stop = stop.get_token();
    settings.progress = [&printer](const FetchProgress& now) { printer(now); };
    FetchOutcome outcome;
    try {
        outcome = fetchDataset(given.name, settings);
    } catch (...) {
        printer.clear();
        throw;
    }
    printer.clear();
    printEnd(given, outcome);
    return outcome.stopped ? 1 : 0;
}

}  // namespace

void addDatasetFetch(CLI::App& command, Shell& shell) {
    auto given = std::make_shared<FetchArguments>();
    CLI::App* verb = command.add_subcommand("fetch", "Download, check and unpack what is missing of a data set");
    given->addTo(*verb)->required();
    verb->add_option("--have", given->have, "A file, or a folder of files, that you already have")->type_name("PATH");
    verb->add_option("--mirror", given->mirrors,
                     "An address to try before the data set's own; the file's name is appended (repeat for more)")
        ->type_name("URL")
        ->allow_extra_args(false);
    verb->add_flag("--offline", given->offline, "Check and unpack what is there, without a network");
    verb->footer(
        "Ctrl-C stops; the next call goes on from there. The proxy is the environment's: https_proxy, http_proxy,\n"
        "all_proxy, no_proxy.");
    shell.onChosen(*verb, [given] { return withRootOption([&] { return fetch(*given); }); });
}

}  // namespace palimpsest
