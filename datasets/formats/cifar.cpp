// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/archive.h"
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_bytes.h"
#include "datasets/formats/cifar_info.h"
#include "datasets/formats/cifar_table.h"
#include "datasets/table/image_rules.h"
#include "datasets/table/source.h"
#include "datasets/table/table_support.h"
#include "engine/support/stop_scope.h"
#include "engine/support/utf8.h"

#include <algorithm>
#include <map>
#include <system_error>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

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
        ImageDataset data;
        data.name = cifar.info.name;
        data.title = cifar.info.title;
        data.class_names = cifar.info.class_names;
        data.mean = cifar.statistics.mean;
        data.deviation = cifar.statistics.deviation;
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
