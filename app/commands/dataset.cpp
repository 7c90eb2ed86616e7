// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/commands/commands.h"
#include "app/json_output.h"
#include "app/text_format.h"
#include "datasets/image_dataset.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

struct Arguments {
    std::string name;
    std::string root;
    bool json = false;

    DatasetRequest request() const {
        DatasetRequest wanted;
        wanted.name = name;
        wanted.root = root;
        return wanted;
    }
};

std::vector<std::int64_t> counts(const std::vector<std::int32_t>& labels, std::size_t classes) {
    std::vector<std::int64_t> count(classes, 0);
    for (const std::int32_t label : labels) ++count.at(static_cast<std::size_t>(label));
    return count;
}

int list(const Arguments& given) {
    const LabelsOnly labels = openLabels(given.request());
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

/// Decodes images spread evenly over the table, every one of a small table.
std::int64_t decode(const ImageTable& table) {
    constexpr std::int64_t kMost = 2000;
    const std::int64_t tried = std::min(table.size(), kMost);
    for (std::int64_t i = 0; i < tried; ++i) {
        const std::int64_t index = i * table.size() / tried;
        if (table.image(index).empty()) throw inputError("Image " + std::to_string(index) + " is empty.");
    }
    return tried;
}

int check(const Arguments& given) {
    const ImageDataset data = openDataset(given.request());
    for (const auto* table : {data.train.get(), data.test.get()}) {
        for (const std::int32_t label : table->labels()) {
            if (label < 0 || static_cast<std::size_t>(label) >= data.class_names.size()) {
                throw inputError(data.title + " has a label " + std::to_string(label) + ", but only " +
                                     std::to_string(data.class_names.size()) + " classes.",
                                 "Get the files again.");
            }
        }
    }
    const std::int64_t decoded = decode(*data.train) + decode(*data.test);
    if (given.json) {
        printLine({{"name", data.name},
                   {"ok", true},
                   {"classes", data.class_names.size()},
                   {"train", data.train->size()},
                   {"test", data.test->size()},
                   {"decoded", decoded}});
    } else {
        std::cout << "ok: " << data.title << ", " << data.class_names.size() << " classes, "
                  << grouped(data.train->size()) << " training and " << grouped(data.test->size())
                  << " test images; every label is valid, " << grouped(decoded) << " images were decoded\n";
    }
    return 0;
}

void addVerb(CLI::App& command, const char* verb, const char* help, Shell& shell, int (*act)(const Arguments&)) {
    auto given = std::make_shared<Arguments>();
    CLI::App* sub = command.add_subcommand(verb, help);
    sub->add_option("name", given->name, "Name of the data set, as `palimpsest-cli datasets` lists it")
        ->type_name("NAME")
        ->required();
    sub->add_option("--root", given->root, "Folder that holds its files")->type_name("DIR");
    sub->add_flag("--json", given->json, "Print JSON");
    sub->callback([&shell, given, act] { shell.action = [given, act] { return act(*given); }; });
}

}  // namespace

void addDataset(CLI::App& app, Shell& shell) {
    CLI::App* command = app.add_subcommand("dataset", "Look into one data set");
    command->require_subcommand(1);
    addVerb(*command, "check", "Read everything and say whether it is sound", shell, check);
    addVerb(*command, "list", "List the classes with their numbers of images", shell, list);
}

}  // namespace palimpsest
