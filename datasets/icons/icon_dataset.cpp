// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/icons/icon_dataset.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <mutex>
#include <sstream>
#include <string_view>

#include "datasets/files/dataset_places.h"
#include "datasets/icons/icon_file.h"
#include "datasets/icons/icon_picture.h"
#include "engine/support/format.h"
#include "engine/support/resource_folder.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemIcons = "/usr/share/icons";
/// Below the resources: the drawings of this data set alone, which packages of the program bring along. They come
/// before the system's themes, of which a newer one may draw another picture.
constexpr const char* kOwnIcons = "drawings";
/// Seed of all pictures, whatever the experiment's: as with data sets made of files, they are always the same.
constexpr std::uint64_t kIconSeed = 1;
constexpr std::uint64_t kIconTraining = 0;
constexpr std::uint64_t kIconTesting = 1;

struct IconSet {
    DatasetInfo info;
    std::vector<IconTheme> themes;
    std::vector<IconClass> classes;
};

bool isFolder(const fs::path& path) {
    std::error_code ignored;
    return fs::is_directory(path, ignored);
}

std::vector<const IconTheme*> themesMissingIn(const IconSet& set, const fs::path& place) {
    std::vector<const IconTheme*> missing;
    for (const IconTheme& theme : set.themes)
        if (!isFolder(place / theme.name)) missing.push_back(&theme);
    return missing;
}

std::string packagesOf(const std::vector<const IconTheme*>& themes) {
    std::string packages;
    for (const IconTheme* theme : themes) packages += (packages.empty() ? "" : " ") + theme->package;
    return packages;
}

/// The folder that holds all themes; if none does, the error names what the fullest one lacks, or that the root is a
/// wrong one.
fs::path iconFolder(const IconSet& set, const fs::path& root) {
    DatasetPlaces places(set.info, root, {"icons", "usr/share/icons"});
    const fs::path own = resourceFolder() / kOwnIcons;
    if (root.empty()) {
        places.add(own);
        places.add(kSystemIcons);
    }
    fs::path fullest = root.empty() ? fs::path(kSystemIcons) : root;
    auto fewest = themesMissingIn(set, fullest);
    for (const fs::path& place : places.all()) {
        const auto missing = themesMissingIn(set, place);
        if (missing.empty()) return place;
        if (missing.size() < fewest.size()) {
            fullest = place;
            fewest = missing;
        }
    }
    std::string names;
    for (const IconTheme* theme : fewest) names += (names.empty() ? "" : ", ") + theme->name;
    const fs::path installed = themesMissingIn(set, own).empty() ? own : fs::path(kSystemIcons);
    if (!root.empty() && fewest.size() == set.themes.size())
        throw inputError(set.info.title + " were not found: " + plainLine(root.string()) + " holds none of their " +
                             counted(std::ssize(fewest), "icon theme", "icon themes") + " (" + names + ").",
                         remedyForRoot(installed, packagesOf(themesMissingIn(set, installed))));
    throw inputError(set.info.title + " lack " + counted(std::ssize(fewest), "icon theme", "icon themes") + " in " +
                         plainLine(fullest.string()) + ": " + names + ".",
                     remedyFor(set.info, packagesOf(fewest)));
}

/// The drawings of one part, by class.
struct IconFiles {
    std::vector<std::vector<fs::path>> of_class;
};

struct FoundIcons {
    fs::path folder;
    IconFiles train, test;
};

FoundIcons findIcons(const IconSet& set, const fs::path& root) {
    FoundIcons found{iconFolder(set, root), {}, {}};
    for (const IconClass& one : set.classes) {
        std::array<std::vector<fs::path>, 2> parts;
        std::istringstream words(one.drawings);
        for (std::string file; words >> file;) {
            std::error_code ignored;
            if (!fs::exists(found.folder / file, ignored)) continue;
            const std::string_view theme = std::string_view(file).substr(0, file.find('/'));
            const bool test = std::ranges::find(set.themes, theme, &IconTheme::name)->test;
            parts[test ? 1 : 0].push_back(found.folder / file);
        }
        for (const bool test : {false, true})
            if (parts[test ? 1 : 0].empty())
                throw inputError("In " + plainLine(found.folder.string()) + " there is no drawing of the class \"" +
                                     one.name + "\" to " + (test ? "test" : "train") + " with.",
                                 "Install the packages " + set.info.packages + " again.");
        found.train.of_class.push_back(std::move(parts[0]));
        found.test.of_class.push_back(std::move(parts[1]));
    }
    return found;
}

std::vector<std::int32_t> iconLabels(std::size_t classes, std::int64_t each, std::int64_t limit) {
    const auto all = static_cast<std::int64_t>(classes) * each;
    std::vector<std::int32_t> labels(static_cast<std::size_t>(limited(all, limit)));
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % classes);
    return labels;
}

/// Pictures drawn on demand. The file of a drawing is read when its first picture is asked for, and kept.
class IconTable : public ImageTable {
public:
    IconTable(IconFiles files, std::vector<std::int32_t> labels, std::uint64_t part)
        : files_(std::move(files)), labels_(std::move(labels)), part_(part) {
        for (const auto& drawings : files_.of_class) kept_.emplace_back(drawings.size());
    }

    std::int64_t size() const override { return std::ssize(labels_); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        checkImageIndex(index, size());
        Random random(kIconSeed, purpose::kIconSample, part_, static_cast<std::uint64_t>(index));
        return renderIcon(drawing(index), random);
    }
    std::string name(std::int64_t index) const override {
        checkImageIndex(index, size());
        const Place place = placeOf(index);
        return "image " + std::to_string(index) + ", drawn from " +
               plainLine(files_.of_class[place.label][place.drawing].string());
    }

private:
    struct Place {
        std::size_t label, drawing;
    };
    struct Kept {
        std::mutex reading;
        cv::Mat drawing;  ///< empty until first asked for
    };

    Place placeOf(std::int64_t index) const {
        const std::size_t classes = files_.of_class.size();
        const auto label = static_cast<std::size_t>(labels_[static_cast<std::size_t>(index)]);
        return {label, static_cast<std::size_t>(index) / classes % files_.of_class[label].size()};
    }
    const cv::Mat& drawing(std::int64_t index) const {
        const Place place = placeOf(index);
        Kept& kept = kept_[place.label][place.drawing];
        const std::lock_guard lock(kept.reading);
        if (kept.drawing.empty())
            kept.drawing = readIconFile(files_.of_class[place.label][place.drawing], kIconDrawingSide);
        return kept.drawing;
    }

    IconFiles files_;
    std::vector<std::int32_t> labels_;
    std::uint64_t part_;
    mutable std::vector<std::vector<Kept>> kept_;
};

std::string packagesOf(const std::vector<IconTheme>& themes) {
    std::string packages;
    for (const IconTheme& theme : themes) packages += (packages.empty() ? "" : " ") + theme.package;
    return packages;
}

}  // namespace

DatasetSource iconSourceOf(std::vector<IconTheme> themes, std::vector<IconClass> classes) {
    auto set = std::make_shared<IconSet>();
    const auto count = std::ssize(classes);
    set->info = {
        .name = "icons",
        .title = "Icons",
        .summary =
            "Things that everybody knows, drawn in colour by the artists of twelve icon themes, 32 by 32 pixels, " +
            std::to_string(count) + " classes; tested on artists never seen.",
        .origin =
            "Drawings by the artists of Tango, GNOME, Nuovo, Yasis, Gartoon, nuoveXT, Numix and Suru (to learn "
            "from) and of Faba, elementary, Breeze and Oxygen (to test with), all in Debian",
        .licence = "Public domain, GPL, LGPL and CC BY-SA, by theme: see the guide",
        .classes = count,
        .train = count * kIconTrainEach,
        .test = count * kIconTestEach,
        .citation = "The themes' makers, as the files named copyright of their Debian packages list them.",
        .homepage = "https://specifications.freedesktop.org/icon-naming-spec/latest/",
        .packages = packagesOf(themes)};
    for (const IconClass& one : classes) set->info.class_names.push_back(one.name);
    set->themes = std::move(themes);
    set->classes = std::move(classes);
    const std::shared_ptr<const IconSet> kept = set;
    DatasetSource source;
    source.info = kept->info;
    source.open = [kept](const DatasetRequest& request) {
        FoundIcons found = findIcons(*kept, request.root);
        // Measured over all training images.
        ImageDataset data =
            emptyDataset(kept->info, kept->info.class_names, {{0.530F, 0.499F, 0.508F}, {0.275F, 0.285F, 0.270F}});
        const std::size_t many = kept->classes.size();
        data.train = std::make_shared<IconTable>(std::move(found.train),
                                                 iconLabels(many, kIconTrainEach, request.train_limit), kIconTraining);
        data.test = std::make_shared<IconTable>(std::move(found.test),
                                                iconLabels(many, kIconTestEach, request.test_limit), kIconTesting);
        data.folder = found.folder;
        return data;
    };
    source.labels = [kept](const DatasetRequest& request) {
        const FoundIcons found = findIcons(*kept, request.root);
        const std::size_t many = kept->classes.size();
        return LabelsOnly{kept->info.title, kept->info.class_names,
                          iconLabels(many, kIconTrainEach, request.train_limit),
                          iconLabels(many, kIconTestEach, request.test_limit), found.folder};
    };
    return source;
}

DatasetSource iconSource() {
    return iconSourceOf({iconThemes().begin(), iconThemes().end()}, {iconClasses().begin(), iconClasses().end()});
}

}  // namespace palimpsest
