// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/annotated_files.h"

#include "datasets/formats/image_folder.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

#include <algorithm>

namespace palimpsest {

LabelledFiles listAnnotated(const std::filesystem::path& root, const std::string& folder,
                            const Annotations& annotations, const std::vector<std::string>& classes) {
    std::map<std::string, std::int32_t> labels;
    for (std::size_t c = 0; c < classes.size(); ++c) labels[classes[c]] = static_cast<std::int32_t>(c);
    const std::string place = plainLine((root / folder).string());
    const std::string list = plainLine(annotations.file.string());
    const auto names = pictureNames(root / folder);
    LabelledFiles files;
    files.root = root;
    for (const auto& name : names) {
        const auto annotated = annotations.classes.find(name);
        if (annotated == annotations.classes.end())
            throw inputError("The picture " + plainLine(name) + " in " + place + " is not in the list " + list + ".",
                             "Unpack the data set again.");
        if (const auto label = labels.find(annotated->second); label != labels.end())
            files.add(folder + "/" + name, label->second);
    }
    // The list contains every picture, so fewer pictures than lines means that some are missing.
    if (names.size() != annotations.classes.size()) {
        const auto missing =
            std::find_if(annotations.classes.begin(), annotations.classes.end(),
                         [&](const auto& line) { return !std::binary_search(names.begin(), names.end(), line.first); });
        throw inputError("In " + place + ", " + std::to_string(annotations.classes.size()) +
                             " pictures are expected after " + list + ", but there are " +
                             std::to_string(names.size()) + "; " + plainLine(missing->first) + " is missing.",
                         "Unpack the data set again.");
    }
    return files;
}

}  // namespace palimpsest
