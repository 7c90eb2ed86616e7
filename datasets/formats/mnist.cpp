// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <vector>

#include "datasets/files/dataset_places.h"
#include "datasets/formats/idx.h"
#include "datasets/table/source.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// A data set of MNIST's kind: four IDX files of grey pictures, gzipped or not.
struct IdxDataset {
    DatasetInfo info;                       ///< with the names of all classes
    Statistics statistics;                  ///< the same for every channel of a grey picture
    std::vector<std::string> folders;       ///< below the data folder, as common tools name them
    std::filesystem::path system_folder{};  ///< folder of a system package; empty: there is none
};

/// File names of training images and labels, test images and labels.
constexpr std::array<const char*, 4> kNames{"train-images-idx3-ubyte", "train-labels-idx1-ubyte",
                                            "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"};
using Files = std::array<fs::path, 4>;

/// The file with or without ".gz"; empty when neither exists.
fs::path findFile(const fs::path& folder, const std::string& name) {
    std::error_code ignored;
    for (const auto& candidate : {folder / (name + ".gz"), folder / name})
        if (fs::exists(candidate, ignored)) return candidate;
    return {};
}

/// True if the file belongs to another data set: MNIST and Fashion-MNIST have the same file names and format. Detected
/// by the size of the packed file; unpacked ones have equal sizes.
bool belongsToOther(const DatasetInfo& info, const fs::path& path) {
    std::error_code ignored;
    const auto size = static_cast<std::int64_t>(fs::file_size(path, ignored));
    const auto same = [&](const DatasetFile& file) { return file.name == path.filename() && file.size == size; };
    static const std::vector<DatasetInfo> known{fashionMnistSource().info, mnistSource().info};
    return std::ranges::any_of(known, [&](const DatasetInfo& other) {
        return other.name != info.name && std::ranges::any_of(other.files, same);
    });
}

/// Files in the first folder that has all four; if none has, the error names one that has some, as after a stopped
/// fetch.
Files findFiles(const IdxDataset& dataset, const fs::path& root) {
    DatasetPlaces places(dataset.info, root, dataset.folders);
    if (root.empty() && !dataset.system_folder.empty()) places.add(dataset.system_folder);
    std::string incomplete;
    for (const auto& place : places.all()) {
        Files files;
        std::string missing;
        bool any = false;
        for (std::size_t i = 0; i < files.size(); ++i) {
            files[i] = findFile(place, kNames[i]);
            if (belongsToOther(dataset.info, files[i])) files[i].clear();
            any = any || !files[i].empty();
            if (files[i].empty()) missing += (missing.empty() ? "" : ", ") + std::string(kNames[i]) + ".gz";
        }
        if (missing.empty()) return files;
        if (any && incomplete.empty())
            incomplete = dataset.info.title + " in " + place.string() + " is incomplete: it lacks " + missing + ".";
    }
    if (!incomplete.empty()) throw inputError(incomplete, remedyFor(dataset.info, dataset.info.packages));
    places.notFound("its train-images-idx3-ubyte.gz", remedyFor(dataset.info, dataset.info.packages));
}

std::vector<std::int32_t> readLabels(const IdxDataset& dataset, const fs::path& path, std::int64_t limit) {
    const auto raw = readIdxLabels(path);
    const std::size_t classes = dataset.info.class_names.size();
    for (std::size_t i = 0; i < raw.size(); ++i)
        if (raw[i] >= classes)
            throw inputError("The file " + path.string() + " gives sample " + std::to_string(i) + " the label " +
                                 std::to_string(raw[i]) + ", where " + dataset.info.title + " has 0 to " +
                                 std::to_string(classes - 1) + ".",
                             "Install or download the data set again.");
    return {raw.begin(), raw.begin() + limited(static_cast<std::int64_t>(raw.size()), limit)};
}

class IdxTable : public ImageTable {
public:
    IdxTable(const IdxDataset& dataset, const fs::path& images, const fs::path& labels, std::int64_t limit)
        : images_(readIdxImages(images, limit)), labels_(readLabels(dataset, labels, 0)) {
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

DatasetSource idxSource(const IdxDataset& dataset) {
    DatasetSource source;
    source.info = dataset.info;
    source.open = [dataset](const DatasetRequest& request) {
        const Files files = findFiles(dataset, request.root);
        ImageDataset data = emptyDataset(dataset.info, dataset.info.class_names, dataset.statistics);
        // Unpacking is most of what a run does before it learns, so the test images are unpacked beside the others; on
        // this thread after them where the machine has no more threads.
        auto test = std::async(std::launch::async | std::launch::deferred, [&, stop = StopScope::token()] {
            const StopScope scope(stop);
            return std::make_shared<IdxTable>(dataset, files[2], files[3], request.test_limit);
        });
        data.train = std::make_shared<IdxTable>(dataset, files[0], files[1], request.train_limit);
        data.test = test.get();
        data.folder = files[0].parent_path();
        return data;
    };
    source.labels = [dataset](const DatasetRequest& request) {
        const Files files = findFiles(dataset, request.root);
        return LabelsOnly{dataset.info.title, dataset.info.class_names,
                          readLabels(dataset, files[1], request.train_limit),
                          readLabels(dataset, files[3], request.test_limit), files[0].parent_path()};
    };
    return source;
}

struct IdxFile {
    std::int64_t size;
    const char* sha256;
};

/// The four files at one address or more; sizes and SHA-256 in the order of training images and labels, test images and
/// labels.
std::vector<DatasetFile> idxFiles(const std::vector<std::string>& addresses, const std::vector<IdxFile>& files) {
    std::vector<DatasetFile> all;
    for (std::size_t i = 0; i < files.size(); ++i) {
        DatasetFile file;
        file.name = std::string(kNames.at(i)) + ".gz";
        file.size = files[i].size;
        file.checksum = std::string("sha256:") + files[i].sha256;
        for (const auto& address : addresses) file.urls.push_back(address + file.name);
        all.push_back(std::move(file));
    }
    return all;
}

}  // namespace

DatasetSource mnistSource() {
    // Measured over all pixels of the 60,000 training images.
    return idxSource(
        {.info = {.name = "mnist",
                  .title = "MNIST",
                  .summary = "Handwritten digits, grey, 28 by 28 pixels, 10 classes.",
                  .origin =
                      "Yann LeCun, Corinna Cortes and Christopher Burges (1998), from handwriting collected by NIST",
                  .licence = "CC BY-SA 3.0",
                  .classes = 10,
                  .train = 60000,
                  .test = 10000,
                  .citation = "Y. LeCun, L. Bottou, Y. Bengio and P. Haffner. Gradient-based learning applied to "
                              "document recognition. Proceedings of the IEEE 86(11), 1998.",
                  .homepage = "http://yann.lecun.com/exdb/mnist/",
                  .class_names = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                  .files = idxFiles({"https://storage.googleapis.com/cvdf-datasets/mnist/",
                                     "https://ossci-datasets.s3.amazonaws.com/mnist/"},
                                    {{9912422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
                                     {28881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
                                     {1648877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
                                     {4542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"}})},
         .statistics = {{0.1307F, 0.1307F, 0.1307F}, {0.3081F, 0.3081F, 0.3081F}},
         .folders = {"MNIST/raw"}});
}

DatasetSource fashionMnistSource() {
    return idxSource(
        {.info =
             {.name = "fashion-mnist",
              .title = "Fashion-MNIST",
              .summary = "Grey pictures of clothes, shoes and bags, 28 by 28 pixels, 10 classes.",
              .origin =
                  "Zalando Research (Xiao, Rasul and Vollgraf, 2017), also as Debian's package dataset-fashion-mnist",
              .licence = "MIT",
              .classes = 10,
              .train = 60000,
              .test = 10000,
              .citation = "H. Xiao, K. Rasul and R. Vollgraf. Fashion-MNIST: a novel image dataset for benchmarking "
                          "machine learning algorithms. arXiv:1708.07747, 2017.",
              .homepage = "https://github.com/zalandoresearch/fashion-mnist",
              // Names from the official README, in its order.
              .class_names = {"T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker",
                              "Bag", "Ankle boot"},
              .files = idxFiles({"http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/"},
                                {{26421880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
                                 {29515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
                                 {4422102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
                                 {5148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"}}),
              .packages = "dataset-fashion-mnist"},
         // Measured over all pixels of the 60,000 training images: 0.28604, 0.35302.
         .statistics = {{0.2860F, 0.2860F, 0.2860F}, {0.3530F, 0.3530F, 0.3530F}},
         .folders = {"FashionMNIST/raw"},
         .system_folder = "/usr/share/datasets/fashion-mnist"});
}

}  // namespace palimpsest
