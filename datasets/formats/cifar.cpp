// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/archive.h"
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "datasets/formats/python_pickle.h"
#include "datasets/table/source.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <opencv2/core.hpp>
#include <system_error>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCifarSide = 32;
constexpr std::size_t kCifarPixels = kCifarSide * kCifarSide;
constexpr std::size_t kCifarImageBytes = 3 * kCifarPixels;

/// Differences between CIFAR-10 and CIFAR-100.
struct CifarLayout {
    std::int32_t classes = 10;
    std::size_t label_bytes = 1;       ///< in front of each picture of a binary file; the last is the label
    std::string label_key = "labels";  ///< of a python file
};

/// The pictures and labels of one file of the distribution.
struct CifarBatch {
    std::vector<std::uint8_t> bytes;  ///< holds every picture as [3, 32, 32], RGB
    std::size_t first = 0;            ///< offset of the first picture
    std::size_t stride = kCifarImageBytes;
    std::vector<std::int32_t> labels;

    const std::uint8_t* picture(std::size_t i) const { return bytes.data() + first + i * stride; }
};

// Both readers check every label and the exact size, and throw Error(Input) that names `origin`. Source: Krizhevsky,
// "The CIFAR-10 dataset" (https://www.cs.toronto.edu/~kriz/cifar.html), dataset layout.

const char* const kFetchCifarAgain = "Get the data set again.";

std::int32_t checkedLabel(std::int64_t label, std::size_t sample, const CifarLayout& layout,
                          const std::string& origin) {
    if (label >= 0 && label < layout.classes) return static_cast<std::int32_t>(label);
    throw inputError("The file " + origin + " gives picture " + std::to_string(sample) + " the label " +
                         std::to_string(label) + ", where 0 to " + std::to_string(layout.classes - 1) +
                         " are expected.",
                     kFetchCifarAgain);
}

CifarBatch readCifarBinary(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin) {
    CifarBatch batch;
    batch.first = layout.label_bytes;
    batch.stride = layout.label_bytes + kCifarImageBytes;
    if (bytes.empty() || bytes.size() % batch.stride != 0)
        throw inputError("The file " + origin + " is cut short or damaged: whole pictures of " +
                             std::to_string(batch.stride) + " bytes each are expected, but it has " +
                             std::to_string(bytes.size()) + " bytes.",
                         kFetchCifarAgain);
    for (std::size_t at = layout.label_bytes - 1; at < bytes.size(); at += batch.stride)
        batch.labels.push_back(checkedLabel(bytes[at], batch.labels.size(), layout, origin));
    batch.bytes = std::move(bytes);
    return batch;
}

CifarBatch readCifarPickle(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin) {
    const Pickle pickle(bytes, origin);
    const auto* const data = pickle.find(pickle.root(), "data");
    const auto* const labels = pickle.find(pickle.root(), layout.label_key);
    if (data == nullptr || data->kind != Pickle::Kind::Array || labels == nullptr || labels->kind != Pickle::Kind::List)
        throw inputError("The file " + origin +
                             " is not the one expected: it should hold an array \"data\" and a list \"" +
                             layout.label_key + "\".",
                         kFetchCifarAgain);
    if (data->shape.size() != 2 || data->shape[1] != static_cast<std::int64_t>(kCifarImageBytes) ||
        data->shape[0] != static_cast<std::int64_t>(labels->items.size()) || labels->items.empty())
        throw inputError("The file " + origin + " is damaged: " + std::to_string(labels->items.size()) +
                             " labels and as many rows of " + std::to_string(kCifarImageBytes) +
                             " bytes are expected, but the array has " + std::to_string(data->bytes.size()) + " bytes.",
                         kFetchCifarAgain);
    CifarBatch batch;
    for (const auto item : labels->items) {
        const auto& label = pickle[item];
        if (label.kind != Pickle::Kind::Integer)
            throw inputError("The file " + origin + " is damaged: label " + std::to_string(batch.labels.size()) +
                                 " is not a whole number.",
                             kFetchCifarAgain);
        batch.labels.push_back(checkedLabel(label.integer, batch.labels.size(), layout, origin));
    }
    const auto* const pixels = reinterpret_cast<const std::uint8_t*>(data->bytes.data());
    const std::less<const std::uint8_t*> before;
    const bool inFile = !before(pixels, bytes.data()) && before(pixels, bytes.data() + bytes.size());
    if (inFile) {
        batch.first = static_cast<std::size_t>(pixels - bytes.data());
        batch.bytes = std::move(bytes);
    } else {
        batch.bytes.assign(pixels, pixels + data->bytes.size());
    }
    return batch;
}

/// Pictures of several files in sequence, kept in memory in the files' layout.
class CifarTable : public ImageTable {
public:
    /// `limit`: number of pictures to keep, from the first; 0: all.
    CifarTable(std::vector<CifarBatch> batches, std::int64_t limit) {
        for (CifarBatch& batch : batches) {
            if (limit > 0 && size() >= limit) break;
            labels_.insert(labels_.end(), batch.labels.begin(), batch.labels.end());
            batches_.push_back(std::move(batch));
        }
        labels_.resize(static_cast<std::size_t>(limited(size(), limit)));
    }

    std::int64_t size() const override { return static_cast<std::int64_t>(labels_.size()); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        checkImageIndex(index, size());
        auto at = static_cast<std::size_t>(index);
        std::size_t batch = 0;
        while (at >= batches_[batch].labels.size()) at -= batches_[batch++].labels.size();
        const std::uint8_t* const pixels = batches_[batch].picture(at);
        cv::Mat picture(static_cast<int>(kCifarSide), static_cast<int>(kCifarSide), CV_8UC3);
        auto* to = picture.ptr<std::uint8_t>();
        for (std::size_t p = 0; p < kCifarPixels; ++p)
            for (std::size_t channel = 0; channel < 3; ++channel) *to++ = pixels[channel * kCifarPixels + p];
        return picture;
    }

private:
    std::vector<CifarBatch> batches_;
    std::vector<std::int32_t> labels_;
};

/// An archive. The binary one is fetched; the python one has the same pictures, and is read if the user has it.
DatasetFile cifarArchive(const std::string& name, std::int64_t size, const std::string& sha256,
                         const std::string& folder, const std::string& form) {
    return {.name = name,
            .size = size,
            .checksum = "sha256:" + sha256,
            .urls = {"https://www.cs.toronto.edu/~kriz/" + name, "https://cave.cs.toronto.edu/kriz/" + name},
            .archive = true,
            .unpacked = folder,
            .optional = form == "python",
            .form = form};
}

DatasetInfo commonCifarInfo() {
    DatasetInfo info;
    info.origin = "Alex Krizhevsky, Vinod Nair and Geoffrey Hinton, University of Toronto (2009)";
    info.licence = "None stated; its makers ask for a citation";
    info.train = 50000;
    info.test = 10000;
    info.citation =
        "A. Krizhevsky. Learning multiple layers of features from tiny images. Technical report, University of "
        "Toronto, 2009.";
    info.homepage = "https://www.cs.toronto.edu/~kriz/cifar.html";
    return info;
}

// Class names are those of batches.meta and fine_label_names.txt. Sizes and checksums: MD5 on the makers' page, SHA-256
// of the same archives in TensorFlow Datasets and Keras.

DatasetInfo cifar10Info() {
    DatasetInfo info = commonCifarInfo();
    info.name = "cifar10";
    info.title = "CIFAR-10";
    info.summary = "Colour photographs of animals and vehicles, 32 by 32 pixels, 10 classes.";
    info.classes = 10;
    info.class_names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
    info.files = {cifarArchive("cifar-10-binary.tar.gz", 170052171,
                               "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
                               "cifar-10-batches-bin", "binary"),
                  cifarArchive("cifar-10-python.tar.gz", 170498071,
                               "6d958be074577803d12ecdefd02955f39262c83c16fe9348329d7fe0b5c001ce",
                               "cifar-10-batches-py", "python")};
    return info;
}

DatasetInfo cifar100Info() {
    DatasetInfo info = commonCifarInfo();
    info.name = "cifar100";
    info.title = "CIFAR-100";
    info.summary = "Colour photographs of animals, plants, things and people, 32 by 32 pixels, 100 classes.";
    info.classes = 100;
    info.class_names = {
        "apple",      "aquarium fish", "baby",         "bear",       "beaver",      "bed",         "bee",
        "beetle",     "bicycle",       "bottle",       "bowl",       "boy",         "bridge",      "bus",
        "butterfly",  "camel",         "can",          "castle",     "caterpillar", "cattle",      "chair",
        "chimpanzee", "clock",         "cloud",        "cockroach",  "couch",       "crab",        "crocodile",
        "cup",        "dinosaur",      "dolphin",      "elephant",   "flatfish",    "forest",      "fox",
        "girl",       "hamster",       "house",        "kangaroo",   "keyboard",    "lamp",        "lawn mower",
        "leopard",    "lion",          "lizard",       "lobster",    "man",         "maple tree",  "motorcycle",
        "mountain",   "mouse",         "mushroom",     "oak tree",   "orange",      "orchid",      "otter",
        "palm tree",  "pear",          "pickup truck", "pine tree",  "plain",       "plate",       "poppy",
        "porcupine",  "possum",        "rabbit",       "raccoon",    "ray",         "road",        "rocket",
        "rose",       "sea",           "seal",         "shark",      "shrew",       "skunk",       "skyscraper",
        "snail",      "snake",         "spider",       "squirrel",   "streetcar",   "sunflower",   "sweet pepper",
        "table",      "tank",          "telephone",    "television", "tiger",       "tractor",     "train",
        "trout",      "tulip",         "turtle",       "wardrobe",   "whale",       "willow tree", "wolf",
        "woman",      "worm"};
    info.files = {
        cifarArchive("cifar-100-binary.tar.gz", 168513733,
                     "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec", "cifar-100-binary", "binary"),
        cifarArchive("cifar-100-python.tar.gz", 169001437,
                     "85cd44d02ba6437773c5bbd22e183051d648de2e7d6b014e1ef29b855ba677a7", "cifar-100-python", "python")};
    return info;
}

/// Limit of a file, or of all files in an archive. The largest file is CIFAR-100's python training file with 155 MB,
/// the largest archive unpacks to 187 MB.
constexpr std::uint64_t kMostCifarBytes = std::uint64_t{512} << 20U;

/// One of the two forms in which the same pictures are distributed.
struct Form {
    std::string folder, archive;
    std::vector<std::string> train;
    std::string test;
    CifarBatch (*read)(std::vector<std::uint8_t> bytes, const CifarLayout& layout, const std::string& origin) = nullptr;

    std::vector<std::string> files() const {
        std::vector<std::string> all = train;
        all.push_back(test);
        return all;
    }
};

struct Cifar {
    DatasetInfo info{};
    Statistics statistics{};
    CifarLayout layout{};
    std::vector<Form> forms{};
};

struct Found {
    fs::path path;  ///< a folder or an archive
    bool archive = false;
    Form form;
};

bool isFile(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

std::string missingFiles(const fs::path& folder, const Form& form) {
    std::string missing;
    for (const auto& name : form.files())
        if (!isFile(folder / name)) missing += (missing.empty() ? "" : ", ") + name;
    return missing;
}

bool holdsAny(const fs::path& folder, const Form& form) {
    const auto files = form.files();
    return std::any_of(files.begin(), files.end(), [&](const std::string& name) { return isFile(folder / name); });
}

[[noreturn]] void incomplete(const Cifar& cifar, const fs::path& path, const std::string& missing) {
    throw inputError(cifar.info.title + " in " + plainLine(path.string()) + " is incomplete: it lacks " + missing + ".",
                     remedyFor(cifar.info));
}

/// Finds a complete folder, else an archive.
Found find(const Cifar& cifar, const fs::path& root) {
    std::vector<std::string> below;
    for (const Form& form : cifar.forms) below.push_back(form.folder);
    const DatasetPlaces places(cifar.info, root, below);
    for (const auto& place : places.all())
        for (const Form& form : cifar.forms)
            if (missingFiles(place, form).empty()) return {place, false, form};
    for (const auto& place : places.all())
        for (const Form& form : cifar.forms) {
            if (isFile(place / form.archive)) return {place / form.archive, true, form};
            if (isFile(place) && place.filename() == form.archive) return {place, true, form};
        }
    for (const auto& place : places.all())
        for (const Form& form : cifar.forms)
            if (holdsAny(place, form)) incomplete(cifar, place, missingFiles(place, form));
    std::string wanted;
    for (const Form& form : cifar.forms) wanted += (wanted.empty() ? "" : " or ") + form.archive;
    places.notFound(wanted + ", packed or unpacked,");
}

/// Content of each file of the form.
using Batches = std::map<std::string, CifarBatch>;

Batches readFolder(const Found& found, const CifarLayout& layout, bool pictures) {
    Batches batches;
    for (const auto& name : found.form.files()) {
        const fs::path file = found.path / name;
        CifarBatch batch = found.form.read(readFileBytes(file, kMostCifarBytes), layout, plainLine(file.string()));
        if (!pictures) batch.bytes = {};
        batches[name] = std::move(batch);
    }
    return batches;
}

Batches readArchive(const Found& found, const CifarLayout& layout, bool pictures) {
    Batches batches;
    const auto wanted = found.form.files();
    const auto visit = [&](const ArchiveMember& member) {
        const std::string name = fs::path(member.name).filename().string();
        if (std::find(wanted.begin(), wanted.end(), name) == wanted.end()) return true;
        const std::string origin = plainLine(member.name + " in " + found.path.string());
        CifarBatch batch = found.form.read(member.read(), layout, origin);
        if (!pictures) batch.bytes = {};
        batches[name] = std::move(batch);
        return batches.size() < wanted.size();
    };
    ArchiveSettings settings;
    settings.most_bytes = static_cast<std::int64_t>(kMostCifarBytes);
    settings.stop = StopScope::token();
    if (!visitArchive(found.path, visit, settings)) throw GivenUp();
    return batches;
}

struct Parts {
    std::vector<CifarBatch> train, test;
};

Parts readParts(const Cifar& cifar, const DatasetRequest& request, bool pictures) {
    const Found found = find(cifar, request.root);
    Batches batches =
        found.archive ? readArchive(found, cifar.layout, pictures) : readFolder(found, cifar.layout, pictures);
    std::string missing;
    for (const auto& name : found.form.files())
        if (batches.count(name) == 0) missing += (missing.empty() ? "" : ", ") + name;
    if (!missing.empty()) incomplete(cifar, found.path, missing);
    Parts parts;
    for (const auto& name : found.form.train) parts.train.push_back(std::move(batches[name]));
    parts.test.push_back(std::move(batches[found.form.test]));
    return parts;
}

DatasetSource cifarSource(Cifar cifar) {
    DatasetSource source;
    source.info = cifar.info;
    source.open = [cifar](const DatasetRequest& request) {
        Parts parts = readParts(cifar, request, true);
        ImageDataset data = emptyDataset(cifar.info, cifar.info.class_names, cifar.statistics);
        data.train = std::make_shared<CifarTable>(std::move(parts.train), request.train_limit);
        data.test = std::make_shared<CifarTable>(std::move(parts.test), request.test_limit);
        return data;
    };
    source.labels = [cifar](const DatasetRequest& request) {
        Parts parts = readParts(cifar, request, false);
        const auto labelsOf = [](std::vector<CifarBatch> batches, std::int64_t limit) {
            const CifarTable table(std::move(batches), limit);
            return std::vector<std::int32_t>(table.labels().begin(), table.labels().end());
        };
        return LabelsOnly{cifar.info.title, cifar.info.class_names,
                          labelsOf(std::move(parts.train), request.train_limit),
                          labelsOf(std::move(parts.test), request.test_limit)};
    };
    return source;
}

}  // namespace

DatasetSource cifar10Source() {
    Form binary{"cifar-10-batches-bin", "cifar-10-binary.tar.gz", {}, "test_batch.bin", readCifarBinary};
    Form python{"cifar-10-batches-py", "cifar-10-python.tar.gz", {}, "test_batch", readCifarPickle};
    for (int part = 1; part <= 5; ++part) {
        python.train.push_back("data_batch_" + std::to_string(part));
        binary.train.push_back(python.train.back() + ".bin");
    }
    return cifarSource({cifar10Info(), kCifar10Statistics, {10, 1, "labels"}, {binary, python}});
}

DatasetSource cifar100Source() {
    const Form binary{"cifar-100-binary", "cifar-100-binary.tar.gz", {"train.bin"}, "test.bin", readCifarBinary};
    const Form python{"cifar-100-python", "cifar-100-python.tar.gz", {"train"}, "test", readCifarPickle};
    return cifarSource({cifar100Info(), kCifar100Statistics, {100, 2, "fine_labels"}, {binary, python}});
}

}  // namespace palimpsest
