// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/idx_dataset.h"

#include "datasets/files/dataset_places.h"
#include "datasets/formats/idx.h"
#include "datasets/table/table_support.h"

#include <algorithm>
#include <array>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

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
    if (!incomplete.empty()) throw inputError(incomplete, remedyFor(dataset.info, dataset.package));
    places.notFound("its train-images-idx3-ubyte.gz", remedyFor(dataset.info, dataset.package));
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

}  // namespace

DatasetSource idxSource(const IdxDataset& dataset) {
    DatasetSource source;
    source.info = dataset.info;
    source.open = [dataset](const DatasetRequest& request) {
        const Files files = findFiles(dataset, request.root);
        ImageDataset data;
        data.name = dataset.info.name;
        data.title = dataset.info.title;
        data.class_names = dataset.info.class_names;
        data.mean.fill(dataset.mean);
        data.deviation.fill(dataset.deviation);
        data.train = std::make_shared<IdxTable>(dataset, files[0], files[1], request.train_limit);
        data.test = std::make_shared<IdxTable>(dataset, files[2], files[3], request.test_limit);
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

}  // namespace palimpsest
