// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/dataset_verbs.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/inputs/local_dataset_service.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

DatasetCard cardOf(const DatasetArguments& given) {
    const auto cards = makeDatasetService()->cards(given.root);
    return *std::ranges::find(cards, given.name, &DatasetCard::name);
}

Json jsonOf(const DatasetInfo& info, const DatasetInfo& source, const DatasetCard& card) {
    Json files = Json::array();
    for (const DatasetFile& file : source.files)
        files.push_back({{"file", file.name},
                         {"bytes", file.size},
                         {"checksum", file.checksum},
                         {"form", file.form},
                         {"optional", file.optional},
                         {"urls", file.urls}});
    return {{"name", info.name},
            {"title", info.title},
            {"summary", info.summary},
            {"origin", info.origin},
            {"licence", info.licence},
            {"classes", info.classes},
            {"train", info.train},
            {"test", info.test},
            {"class_names", info.class_names},
            {"part_of", info.part_of},
            {"files", files},
            {"citation", info.citation},
            {"homepage", info.homepage},
            {"packages", info.packages},
            {"folder", card.folder},
            {"present", card.present},
            {"state", placeOf(card)},
            {"missing", card.missing}};
}

std::string imagesOf(const DatasetInfo& info) {
    std::string text = info.train > 0 ? grouped(info.train) + " training" : "";
    if (info.test > 0) text += (text.empty() ? "" : " and ") + grouped(info.test) + " test";
    return text.empty() ? "as many as its files hold" : text + " images";
}

void printDatasetFiles(const DatasetInfo& source) {
    if (source.files.empty()) return;
    std::cout << "\nFiles\n";
    for (const DatasetFile& file : source.files) {
        std::cout << "  " << file.name;
        if (file.size > 0) std::cout << ", " << grouped(file.size) << " bytes";
        if (!file.form.empty()) std::cout << ", of the form \"" << file.form << "\"";
        std::cout << "\n";
        if (!file.checksum.empty()) std::cout << "    " << file.checksum << "\n";
        for (const std::string& url : file.urls) std::cout << "    " << url << "\n";
    }
}

void printText(const DatasetInfo& info, const DatasetInfo& source, const DatasetCard& card) {
    std::vector<std::pair<std::string, std::string>> rows = {
        {"Name", info.name}, {"Origin", info.origin}, {"Licence", info.licence}};
    if (info.classes > 0) rows.emplace_back("Classes", grouped(info.classes));
    rows.emplace_back("Images", imagesOf(info));
    if (&info != &source) rows.emplace_back("Part of", source.title);
    if (!info.homepage.empty()) rows.emplace_back("Homepage", info.homepage);
    if (!info.citation.empty()) rows.emplace_back("Citation", info.citation);
    if (!info.packages.empty()) rows.emplace_back("Packages", info.packages);
    if (!card.folder.empty()) rows.emplace_back("Folder", card.folder);
    rows.emplace_back("State", placeOf(card));
    std::cout << info.title << "\n" << info.summary << "\n\n" << twoColumns(rows);
    if (!info.class_names.empty()) {
        std::cout << "\nClasses\n";
        for (std::size_t c = 0; c < info.class_names.size(); ++c)
            std::cout << "  " << c << "  " << info.class_names[c] << "\n";
    }
    printDatasetFiles(source);
}

int show(const DatasetArguments& given) {
    const DatasetInfo& info = catalogueEntry(given.name);
    const DatasetInfo& source = info.part_of.empty() ? info : catalogueEntry(info.part_of);
    const DatasetCard card = cardOf(given);
    if (given.json)
        printLine(jsonOf(info, source, card));
    else
        printText(info, source, card);
    return 0;
}

}  // namespace

void addDatasetShow(CLI::App& command, Shell& shell) {
    auto given = std::make_shared<DatasetArguments>();
    CLI::App* verb = command.add_subcommand("show", "Say what is known of a data set, whether it is here or not");
    given->addTo(*verb)->required();
    shell.onChosen(*verb, [given] { return withRootOption([&] { return show(*given); }); });
}

}  // namespace palimpsest
