// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/cli/json_output.h"
#include "app/cli/text_format.h"
#include "app/commands/dataset_verbs.h"
#include "app/commands/picture_check.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/dataset_files.h"
#include "datasets/fetching/fetch.h"
#include "datasets/files/dataset_places.h"
#include "datasets/table/image_dataset.h"
#include "engine/data/local_dataset_service.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {

namespace {

using State = DatasetFileStatus::State;

constexpr std::int64_t kMostDecoded = 2000;  // of each part
constexpr std::size_t kMostNamed = 20;

struct CheckArguments : DatasetArguments {
    bool quick = false;
};

DatasetRequest requestOf(const DatasetArguments& given) {
    DatasetRequest wanted;
    wanted.name = given.name;
    wanted.root = given.root;
    return wanted;
}

std::vector<std::int64_t> counts(const std::vector<std::int32_t>& labels, std::size_t classes) {
    std::vector<std::int64_t> count(classes, 0);
    for (const std::int32_t label : labels) ++count.at(static_cast<std::size_t>(label));
    return count;
}

int listClasses(const DatasetArguments& given) {
    const LabelsOnly labels = openLabels(requestOf(given));
    const auto train = counts(labels.train, labels.class_names.size());
    const auto test = counts(labels.test, labels.class_names.size());
    std::vector<std::pair<std::string, std::string>> rows;
    for (std::size_t c = 0; c < labels.class_names.size(); ++c) {
        if (given.json) {
            printLine({{"class", c}, {"name", labels.class_names[c]}, {"train", train[c]}, {"test", test[c]}});
        }
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
                       {"missing", card.missing}});
        }
        rows.emplace_back(card.name, card.title + ": " + placeOf(card));
    }
    if (!given.json) std::cout << twoColumns(rows);
    return 0;
}

void checkLabels(const std::string& title, std::span<const std::int32_t> labels, std::size_t classes) {
    for (const std::int32_t label : labels) {
        if (label >= 0 && static_cast<std::size_t>(label) < classes) continue;
        throw inputError(
            title + " has a label " + std::to_string(label) + ", but only " + std::to_string(classes) + " classes.",
            "Get the files again.");
    }
}

const char* wordOf(State state) {
    switch (state) {
        case State::Missing:
            return "missing";
        case State::Partial:
            return "partial";
        case State::WrongSize:
            return "wrong size";
        case State::WrongChecksum:
            return "wrong checksum";
        case State::NotUnpacked:
            return "not unpacked";
        case State::Present:
            break;
    }
    return "present";
}

/// Checks sizes and checksums. Certain faults are errors; files that the loader may not need, or may find elsewhere,
/// are notes.
Json checkFiles(const CheckArguments& given) {
    Json files = Json::array();
    const DatasetStatus status = datasetStatus(given.name, given.root, !given.quick);
    for (const DatasetFileStatus& file : status.files) {
        if (file.state == State::WrongChecksum && !status.complete) throw inputError(file.detail);
        const bool note = file.state != State::Present && file.state != State::Missing;
        if (note && !given.json) std::cout << "Note: " << file.detail << "\n";
        files.push_back({{"file", file.file}, {"state", wordOf(file.state)}, {"detail", file.detail}});
    }
    return files;
}

/// The first names, and the number of the others.
std::vector<std::string> named(const PictureCheck& pictures) {
    const std::size_t count = std::min(pictures.unreadable.size(), kMostNamed);
    return {pictures.unreadable.begin(), pictures.unreadable.begin() + static_cast<std::ptrdiff_t>(count)};
}

void printUnreadable(const PictureCheck& pictures) {
    if (pictures.unreadable.empty()) return;
    std::cout << "Note: " << counted(std::ssize(pictures.unreadable), "image", "images")
              << " cannot be read; a run leaves out what it cannot read:\n";
    for (const std::string& name : named(pictures)) std::cout << "  " << name << "\n";
    if (pictures.unreadable.size() > kMostNamed)
        std::cout << "  and " << grouped(static_cast<std::int64_t>(pictures.unreadable.size() - kMostNamed))
                  << " more\n";
}

void printCheck(const CheckArguments& given, const std::string& title, std::size_t classes, std::int64_t train,
                std::int64_t test, const PictureCheck& pictures, const Json& files) {
    const DatasetInfo& info = catalogueEntry(given.name);
    if (given.json) {
        printLine({{"name", given.name},
                   {"ok", true},
                   {"classes", classes},
                   {"train", train},
                   {"test", test},
                   {"expected_train", info.train},
                   {"expected_test", info.test},
                   {"decoded", pictures.decoded},
                   {"unreadable", pictures.unreadable.size()},
                   {"unreadable_images", named(pictures)},
                   {"files", files}});
        return;
    }
    const std::string note = numbersNote(info, train, test);
    if (!note.empty()) std::cout << "Note: " << note << "\n";
    printUnreadable(pictures);
    std::cout << "ok: " << title << ", " << classes << " classes, " << grouped(train) << " training and "
              << grouped(test) << " test images; every label is valid";
    if (!given.quick) std::cout << ", " << grouped(pictures.decoded) << " images were decoded";
    std::cout << "\n";
}

int check(const CheckArguments& given) {
    const Json files = checkFiles(given);
    if (given.quick) {
        const LabelsOnly labels = openLabels(requestOf(given));
        const std::size_t classes = labels.class_names.size();
        for (const auto* part : {&labels.train, &labels.test}) checkLabels(labels.title, *part, classes);
        printCheck(given, labels.title, classes, std::ssize(labels.train), std::ssize(labels.test), {}, files);
        return 0;
    }
    const ImageDataset data = openDataset(requestOf(given));
    const std::size_t classes = data.class_names.size();
    for (const auto* table : {data.train.get(), data.test.get()}) checkLabels(data.title, table->labels(), classes);
    // The user's own images have never been checked, so all of them are decoded.
    const PictureCheck pictures = checkPictures(data, given.name == "folder" ? 0 : kMostDecoded);
    if (!pictures.fault.empty()) {
        if (!given.json) printUnreadable(pictures);
        throw inputError(pictures.fault, "Get the files again.");
    }
    printCheck(given, data.title, classes, data.train->size(), data.test->size(), pictures, files);
    return 0;
}

}  // namespace

std::string placeOf(const DatasetCard& card) {
    if (card.procedural) return "made by the program";
    if (card.present) return card.folder.empty() ? "here" : "in " + card.folder;
    if (!card.part_of.empty()) return "part of " + card.part_of;
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

    auto checked = std::make_shared<CheckArguments>();
    CLI::App* verb = command->add_subcommand("check", "Read everything and say whether it is sound");
    checked->addTo(*verb)->required();
    verb->add_flag("--quick", checked->quick, "Look at sizes and labels only: no checksums, no images");
    verb->callback(
        [&shell, checked] { shell.action = [checked] { return withRootOption([&] { return check(*checked); }); }; });

    auto listed = std::make_shared<DatasetArguments>();
    verb = command->add_subcommand("list", "List the data sets, or the classes of one with their numbers of images");
    listed->addTo(*verb);
    verb->callback([&shell, listed] {
        shell.action = [listed] {
            return withRootOption([&] { return listed->name.empty() ? listDatasets(*listed) : listClasses(*listed); });
        };
    });
}

}  // namespace palimpsest
