// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/formats/wordnet.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_label_lists {

/// The lists of classes and labels that data sets of pictures bring; the pictures themselves are empty files.
FUZZ_TARGET(label_lists, 300) {
    static fuzz::InputFolder lists(
        {"tiny-imagenet-200/wnids.txt", "tiny-imagenet-200/words.txt", "tiny-imagenet-200/val/val_annotations.txt",
         "tiny-imagenet-200/val/images/val_0.JPEG", "tiny-imagenet-200/train/n01443537/images/a.JPEG",
         "places365/categories_places365.txt", "places365/places365_train_standard.txt", "places365/places365_val.txt",
         "places365/data_256/a.jpg", "places365/val_256/a.jpg"});
    lists.fill(input);
    for (const char* name : {"tinyimagenet", "places365"})
        fuzz::answers([&] {
            const LabelsOnly labels = openLabels({.name = name, .root = lists.path()});
            for (const auto& part : {labels.train, labels.test})
                for (const std::int32_t label : part)
                    fuzz::require(label >= 0 && label < static_cast<std::int32_t>(labels.class_names.size()),
                                  "a label of no class");
        });
    fuzz::answers([&] {
        const std::vector<std::string> classes = {"n01443537", "n01629819"};
        fuzz::require(wordnetNames(classes, {lists.path() / "tiny-imagenet-200/words.txt"}).size() == 2,
                      "a class without a name");
    });
}

}  // namespace palimpsest::fuzz_label_lists
