// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/dataset_verbs.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/fetch.h"
#include "datasets/files/dataset_places.h"
#include "datasets/table/image_dataset.h"
#include "engine/inputs/local_dataset_service.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

std::vector<std::int64_t> counts(const std::vector<std::int32_t>& labels, std::size_t classes) {
    std::vector<std::int64_t> count(classes, 0);
    for (const std::int32_t label : labels) ++count.at(static_cast<std::size_t>(label));
    return count;
}

int listClasses(const DatasetArguments& given) {
    const LabelsOnly labels = openLabels(given.request());
    const auto train = counts(labels.train, labels.class_names.size());
    const auto test = counts(labels.test, labels.class_names.size());
    std::vector<std::pair<std::string, std::string>> rows;
    for (std::size_t c = 0; c < labels.class_names.size(); ++c) {
        if (given.json)
            printLine({{"class", c}, {"name", labels.class_names[c]}, {"train", train[c]}, {"test", test[c]}});
        rows.emplace_back(std::to_string(c) + "  " + labels.class_names[c],
                          grouped(train[c]) + " training and " + grouped(test[c]) + " test images");
    }
    if (!given.json) std::cout << labels.title << "\n" << twoColumns(rows);
    return 0;
}

int listDatasets(const DatasetArguments& given) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const DatasetCard& card : makeDatasetService()->cards(given.root)) {
        if (given.json) {
            printLine({{"name", card.name},
                       {"title", card.title},
                       {"classes", card.classes},
                       {"train", card.train},
                       {"test", card.test},
                       {"bytes", card.bytes},
                       {"present", card.present},
                       {"fetchable", card.fetchable},
                       {"procedural", card.procedural},
                       {"part_of", card.part_of},
                       {"folder", card.folder},
                       {"homepage", card.homepage},
                       {"packages", card.packages},
                       {"missing", card.missing}});
        }
        rows.emplace_back(card.name, card.title + ": " + placeOf(card));
    }
    if (!given.json) std::cout << twoColumns(rows);
    return 0;
}

}  // namespace

std::string placeOf(const DatasetCard& card) {
    if (card.procedural) return "made by the program";
    if (card.present) return card.folder.empty() ? "here" : "in " + card.folder;
    if (!card.part_of.empty()) return "part of " + card.part_of;
    if (!card.fetchable && !card.packages.empty()) return "to install, from Debian's packages";
    if (!card.fetchable) return card.homepage.empty() ? "your own" : "to ask for at " + card.homepage;
    return card.bytes > 0 ? "to fetch, " + byteCount(card.bytes) : "to fetch";
}

int withRootOption(const std::function<int()>& verb) {
    try {
        return verb();
    } catch (const Error& error) {
        const std::string option = kRootOption;
        std::string hint = error.hint();
        const auto found = hint.find(option);
        if (found == std::string::npos) throw;
        throw Error(error.kind(), error.what(), hint.replace(found, option.size(), "--root"));
    }
}

DatasetRequest DatasetArguments::request() const {
    DatasetRequest request;
    request.name = name;
    request.root = root;
    return request;
}

CLI::Option* DatasetArguments::addTo(CLI::App& verb) {
    verb.add_option("--root", root, "Folder that holds data sets, or this one's files")->type_name("DIR");
    verb.add_flag("--json", json, "Print one JSON object a line");
    return verb.add_option("name", name, "Name of the data set, as `palimpsest-cli dataset list` says it")
        ->type_name("NAME");
}

void addDataset(CLI::App& app, Shell& shell) {
    CLI::App* command = app.add_subcommand("dataset", "Fetch a data set, check it, list what there is");
    command->require_subcommand(1);
    addDatasetFetch(*command, shell);
    addDatasetShow(*command, shell);
    addDatasetCheck(*command, shell);

    auto listed = std::make_shared<DatasetArguments>();
    CLI::App* verb =
        command->add_subcommand("list", "List the data sets, or the classes of one with their numbers of images");
    listed->addTo(*verb);
    shell.onChosen(*verb, [listed] {
        return withRootOption([&] { return listed->name.empty() ? listDatasets(*listed) : listClasses(*listed); });
    });
}

}  // namespace palimpsest
