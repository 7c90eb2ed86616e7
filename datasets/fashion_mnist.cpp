// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/idx.h"
#include "datasets/source.h"
#include "datasets/table_support.h"

#include <cstdlib>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDebianFolder = "/usr/share/datasets/fashion-mnist";
constexpr std::int32_t kClasses = 10;
constexpr const char* kTrainImages = "train-images-idx3-ubyte";
constexpr const char* kTrainLabels = "train-labels-idx1-ubyte";
constexpr const char* kTestImages = "t10k-images-idx3-ubyte";
constexpr const char* kTestLabels = "t10k-labels-idx1-ubyte";

/// The file with or without ".gz"; empty when neither exists.
fs::path findFile(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    for (const auto& candidate : {folder / (name + ".gz"), folder / name})
        if (fs::exists(candidate, ignored)) return candidate;
    return {};
}

/// The folder itself, or one that common tools make inside it.
std::vector<fs::path> placesBelow(const fs::path& root) {
    return {root, root / "fashion-mnist", root / "FashionMNIST" / "raw"};
}

std::vector<fs::path> places(const fs::path& root) {
    if (!root.empty()) return placesBelow(root);
    std::vector<fs::path> found;
    const char* const data = std::getenv("PALIMPSEST_DATA");
    if (data != nullptr && *data != '\0') found = placesBelow(data);
    found.emplace_back(kDebianFolder);
    return found;
}

struct Files {
    fs::path train_images, train_labels, test_images, test_labels;
};

/// The first place that has any of the four files must have all of them.
Files findFiles(const fs::path& root) {
    static const std::string advice =
        "Install it with \"sudo apt install dataset-fashion-mnist\", or name the folder that holds its four files "
        "(train-images-idx3-ubyte.gz and so on) in stream.root or in the environment variable PALIMPSEST_DATA.";
    for (const auto& place : places(root)) {
        const Files files{findFile(place, kTrainImages), findFile(place, kTrainLabels), findFile(place, kTestImages),
                          findFile(place, kTestLabels)};
        std::string missing;
        bool any = false;
        for (const auto& [file, name] :
             {std::pair{files.train_images, kTrainImages}, std::pair{files.train_labels, kTrainLabels},
              std::pair{files.test_images, kTestImages}, std::pair{files.test_labels, kTestLabels}}) {
            any = any || !file.empty();
            if (file.empty()) missing += (missing.empty() ? "" : ", ") + std::string(name) + ".gz";
        }
        if (any && !missing.empty())
            throw inputError("Fashion-MNIST in " + place.string() + " is incomplete: it lacks " + missing + ".",
                             advice);
        if (any) return files;
    }
    std::string looked;
    for (const auto& place : places(root)) looked += (looked.empty() ? "" : ", ") + place.string();
    throw inputError("Fashion-MNIST was not found (looked in " + looked + ").", advice);
}

std::vector<std::int32_t> readLabels(const fs::path& path, std::int64_t limit) {
    const auto raw = readIdxLabels(path);
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (raw[i] >= kClasses)
            throw inputError("The file " + path.string() + " gives sample " + std::to_string(i) + " the label " +
                                 std::to_string(raw[i]) + ", where Fashion-MNIST has 0 to 9.",
                             "Install or download the data set again.");
    return {raw.begin(), raw.begin() + limited(static_cast<std::int64_t>(raw.size()), limit)};
}

class IdxTable : public ImageTable {
public:
    IdxTable(const fs::path& images, const fs::path& labels, std::int64_t limit)
        : images_(readIdxImages(images, limit)), labels_(readLabels(labels, 0)) {
        if (images_.in_file != static_cast<std::int64_t>(labels_.size()))
            throw inputError("The files " + images.string() + " and " + labels.string() +
                                 " do not belong together: " + std::to_string(images_.in_file) + " images, " +
                                 std::to_string(labels_.size()) + " labels.",
                             "Install or download the data set again.");
        labels_.resize(static_cast<std::size_t>(images_.count));
    }

    std::int64_t size() const override { return images_.count; }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        checkImageIndex(index, size());
        const auto rows = static_cast<int>(images_.rows);
        const auto columns = static_cast<int>(images_.columns);
        cv::Mat picture(rows, columns, CV_8UC1);
        std::copy_n(images_.pixels.begin() + index * images_.rows * images_.columns, images_.rows * images_.columns,
                    picture.ptr<std::uint8_t>());
        return picture;
    }

private:
    IdxImages images_;
    std::vector<std::int32_t> labels_;
};

DatasetInfo info() {
    return {.name = "fashion-mnist",
            .title = "Fashion-MNIST",
            .summary = "Grey pictures of clothes, shoes and bags, 28 by 28 pixels, 10 classes.",
            .origin = "Zalando Research (Xiao, Rasul and Vollgraf, 2017), from Debian's package dataset-fashion-mnist",
            .licence = "MIT",
            .classes = kClasses,
            .train = 60000,
            .test = 10000,
            .procedural = false};
}

/// Names of the official README, in its order.
std::vector<std::string> classNames() {
    return {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot"};
}

ImageDataset open(const DatasetRequest& request) {
    const Files files = findFiles(request.root);
    ImageDataset data;
    data.name = info().name;
    data.title = info().title;
    data.class_names = classNames();
    // Over all pixels of the 60,000 training images (0.28604, 0.35302); the same on every channel of a grey picture.
    data.mean = {0.2860F, 0.2860F, 0.2860F};
    data.deviation = {0.3530F, 0.3530F, 0.3530F};
    data.train = std::make_shared<IdxTable>(files.train_images, files.train_labels, request.train_limit);
    data.test = std::make_shared<IdxTable>(files.test_images, files.test_labels, request.test_limit);
    return data;
}

LabelsOnly labels(const DatasetRequest& request) {
    const Files files = findFiles(request.root);
    return {info().title, classNames(), readLabels(files.train_labels, request.train_limit),
            readLabels(files.test_labels, request.test_limit)};
}

}  // namespace

DatasetSource fashionMnistSource() {
    return {.info = info(), .most_classes = 0, .open = open, .labels = labels};
}

}  // namespace palimpsest
