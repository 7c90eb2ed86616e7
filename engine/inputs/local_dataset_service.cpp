// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/local_dataset_service.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <opencv2/core.hpp>

#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/dataset_files.h"
#include "datasets/fetching/fetch.h"
#include "datasets/files/dataset_places.h"
#include "datasets/table/image_dataset.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/inputs/shown_picture.h"
#include "engine/support/error.h"
#include "engine/support/own_drawings.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Largest number of pictures tried for each one wanted, since some may be undecodable.
constexpr int kTriesEach = 4;

/// Bytes to fetch; 0 if a size is not published.
std::int64_t bytesToFetch(const DatasetInfo& info) {
    std::int64_t bytes = 0;
    for (const DatasetFile& file : info.files) {
        if (file.optional) continue;
        if (file.size <= 0) return 0;
        bytes += file.size;
    }
    return bytes;
}

bool canBeFetched(const DatasetInfo& info) {
    bool any = false;
    for (const DatasetFile& file : info.files) {
        if (file.optional) continue;
        if (file.urls.empty()) return false;
        any = true;
    }
    return any;
}

/// True for drawn sets, for the user's own folder of images and for what the user drew.
bool needsNoFetch(const DatasetInfo& info) {
    return info.procedural || info.name == "folder" || info.name == kOwnDrawings;
}

/// Name of the data set whose files are read.
const std::string& sourceOf(const DatasetCard& card) {
    return card.part_of.empty() ? card.name : card.part_of;
}

/// Message for the user about a data set that is missing.
std::string missingText(const DatasetCard& card, const DatasetStatus& status) {
    using State = DatasetFileStatus::State;
    // An incomplete fetch or a damaged file explains more than "missing".
    for (const DatasetFileStatus& file : status.files)
        if (file.state != State::Missing && file.state != State::Present && !file.detail.empty()) return file.detail;
    const DatasetInfo& source = catalogueEntry(sourceOf(card));
    const std::string text =
        card.title + (card.part_of.empty() ? " is not in " : " is a part of " + source.title + ", which is not in ") +
        card.folder;
    if (canBeFetched(source))
        return text + ". Fetch " + (card.part_of.empty() ? "it" : source.title) +
               ", or take the files you already have.";
    return text + ". Its makers hand it out themselves" + (card.homepage.empty() ? "" : ": see " + card.homepage) +
           ". When you have it, name its folder as the place where data sets are kept, or in " + kRootOption + ".";
}

/// Fills in presence and folder. The loader decides, since it accepts more folders and formats than a fetch makes.
void locate(const DatasetInfo& info, const fs::path& root, const DatasetCard* whole, DatasetCard& card) {
    if (needsNoFetch(info)) {
        card.present = true;
        return;
    }
    // Listing the parts of ImageNet would read its 1.28 million names once more for each.
    if (whole != nullptr && whole->present) {
        card.present = true;
        card.folder = whole->folder;
        return;
    }
    const DatasetStatus status = datasetStatus(sourceOf(card), root, false);
    card.folder = status.folder.string();
    card.present = status.complete;
    if (card.present) return;
    try {
        DatasetRequest request;
        request.name = info.name;
        request.root = root;
        const LabelsOnly labels = openLabels(request);
        card.present = true;
        card.folder = (root.empty() ? labels.folder : root).string();
    } catch (const Error& error) {
        // Only the loader knows which packages are missing.
        card.missing = card.fetchable || card.packages.empty() ? missingText(card, status)
                                                               : std::string(error.what()) + " " + error.hint();
    }
}

/// Card of a data set. `whole`: the card of the data set that it is a part of, or null.
DatasetCard datasetCard(const DatasetInfo& info, const fs::path& root, const DatasetCard* whole) {
    DatasetCard card;
    card.name = info.name;
    card.title = info.title;
    card.summary = info.summary;
    card.origin = info.origin;
    card.licence = info.licence;
    card.citation = info.citation;
    card.homepage = info.homepage;
    card.classes = info.classes;
    card.train = info.train;
    card.test = info.test;
    card.bytes = bytesToFetch(info);
    card.procedural = info.procedural;
    card.fetchable = canBeFetched(info);
    card.takes_files = !info.files.empty();
    card.part_of = info.part_of;
    card.packages = info.packages;
    locate(info, root, whole, card);
    return card;
}

/// Central square of a picture, at most `side` pixels wide.
Thumbnail thumbnailOf(const cv::Mat& picture, std::int32_t label, int side) {
    const int square = std::min(picture.rows, picture.cols);
    const cv::Mat middle = picture(cv::Rect((picture.cols - square) / 2, (picture.rows - square) / 2, square, square));
    const cv::Mat small = resizedRgb(middle, std::min(square, side)).clone();
    return {small.rows, label, {small.datastart, small.dataend}};
}

/// Thumbnail of a picture; of size 0 when it cannot be read, which a run that uses it reports.
Thumbnail pictureAt(const ImageTable& table, std::int64_t position, int side) {
    Thumbnail none;
    if (position < 0 || position >= std::ssize(table.labels())) return none;
    none.label = table.labels()[static_cast<std::size_t>(position)];
    try {
        const cv::Mat picture = table.image(position);
        return picture.empty() ? none : thumbnailOf(picture, none.label, side);
    } catch (const Error&) {
        return none;
    } catch (const cv::Exception&) {
        return none;
    }
}

class CatalogueService : public DatasetService {
public:
    std::vector<DatasetCard> cards(const fs::path& root) const override {
        std::vector<DatasetCard> all;
        for (const DatasetInfo& info : datasetCatalogue()) {
            // A whole comes before its parts in the catalogue.
            const auto whole = std::ranges::find(all, info.part_of, &DatasetCard::name);
            all.push_back(datasetCard(info, root, whole == all.end() ? nullptr : &*whole));
        }
        return all;
    }

    bool fetch(const std::string& name, const fs::path& root, const FetchOrigin& source,
               const std::function<void(const DatasetProgress&)>& progress, std::stop_token stop) const override {
        FetchSettings settings;
        settings.root = root;
        settings.have = source.have;
        if (!source.mirror.empty()) settings.mirrors = {source.mirror};
        settings.offline = source.offline;
        settings.stop = stop;
        settings.progress = [&progress](const FetchProgress& now) {
            const bool waits = now.step == FetchProgress::Step::Waiting;
            if (progress)
                progress({waits ? "Waiting for another program that fetches" : stepName(now.step), now.file, now.bytes,
                          now.total, now.bytes_per_second});
        };
        const bool stopped = fetchDataset(name, settings).stopped;
        const std::lock_guard lock(mutex_);
        if (opening_name_ == name) opening_.reset();
        return !stopped;
    }

    std::vector<Thumbnail> samplesOfClass(const Experiment& experiment, std::int32_t label, int count, int side,
                                          std::stop_token stop) const override {
        if (count <= 0 || side <= 0) return {};
        const std::shared_ptr<const ImageDataset> data = opened(experiment, Part::Training, stop);
        if (!data) return {};
        const auto labels = data->train->labels();
        std::vector<Thumbnail> pictures;
        int tries = count * kTriesEach;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (labels[i] != label) continue;
            if (stop.stop_requested() || std::ssize(pictures) == count || tries-- == 0) break;
            // Unreadable pictures are replaced by the next one.
            Thumbnail picture = pictureAt(*data->train, static_cast<std::int64_t>(i), side);
            if (picture.size > 0) pictures.push_back(std::move(picture));
        }
        return pictures;
    }

    std::vector<Thumbnail> samplesAt(const Experiment& experiment, std::span<const std::int64_t> positions, int side,
                                     std::stop_token stop) const override {
        return picturesAt(experiment, Part::Training, positions, side, stop);
    }

    std::vector<Thumbnail> testSamplesAt(const Experiment& experiment, std::span<const std::int64_t> positions,
                                         int side, std::stop_token stop) const override {
        return picturesAt(experiment, Part::Test, positions, side, stop);
    }

    void forget() const override { changed_ = true; }

private:
    enum class Part { Training, Test };

    std::vector<Thumbnail> picturesAt(const Experiment& experiment, Part part, std::span<const std::int64_t> positions,
                                      int side, const std::stop_token& stop) const {
        if (positions.empty() || side <= 0) return {};
        const std::shared_ptr<const ImageDataset> data = opened(experiment, part, stop);
        std::vector<Thumbnail> pictures;
        for (const std::int64_t position : positions) {
            if (!data || stop.stop_requested()) break;
            pictures.push_back(pictureAt(part == Part::Test ? *data->test : *data->train, position, side));
        }
        return pictures;
    }

    /// The data set of the last request stays open, and continues to be opened when nobody waits for it, since it is
    /// likely to be requested again. Null when `stop` comes first.
    std::shared_ptr<const ImageDataset> opened(const Experiment& experiment, Part part,
                                               const std::stop_token& stop) const {
        if (stop.stop_requested()) return nullptr;
        const std::shared_ptr<DatasetOpening> opening = openingOf(experiment, part);
        try {
            return opening->wait(stop);
        } catch (...) {
            // A failed opening is tried again next time.
            const std::lock_guard lock(mutex_);
            if (opening_ == opening) opening_.reset();
            throw;
        }
    }

    std::shared_ptr<DatasetOpening> openingOf(const Experiment& experiment, Part part) const {
        const std::string key = part == Part::Test ? testSetKey(experiment) : trainingSetKey(experiment);
        DatasetRequest request = datasetRequest(experiment);
        // The other part is not needed, so it is limited to one image.
        (part == Part::Test ? request.train_limit : request.test_limit) = 1;
        const std::lock_guard lock(mutex_);
        if (!changed_.exchange(false) && opening_ && key == opening_key_) return opening_;
        // The old set goes first, since both might not fit into memory.
        opening_.reset();
        opening_ = std::make_shared<DatasetOpening>([request = std::move(request)] { return openDataset(request); });
        opening_key_ = key;
        opening_name_ = experiment.stream.dataset;
        return opening_;
    }

    mutable std::atomic<bool> changed_{false};
    mutable std::mutex mutex_;  // guards the members below
    mutable std::shared_ptr<DatasetOpening> opening_;
    mutable std::string opening_key_, opening_name_;
};

}  // namespace

std::unique_ptr<DatasetService> makeDatasetService() {
    return std::make_unique<CatalogueService>();
}

}  // namespace palimpsest
