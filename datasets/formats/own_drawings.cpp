// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/own_drawings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "datasets/formats/image_file.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"
#include "datasets/table/source.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/random.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Of the generators of varied drawings, beside those of drawn data sets.
constexpr std::uint64_t kVariantSeed = 1, kVariantPurpose = 0xd5'000a;
/// What an identity begins with: to be changed with how a picture is made of a drawing.
constexpr std::string_view kIdentityVersion = "own drawings 1";

DatasetInfo drawingsInfo() {
    return {.name = kOwnDrawings,
            .title = "Own drawings",
            .summary = "Classes that you drew, added to those of another data set; each drawing is shown " +
                       std::to_string(kDrawingTimes) + " times with small shifts.",
            .origin = "Yours; draw them with File > Draw a class",
            .licence = "Yours, and that of the data set that they are added to"};
}

/// Positions of the samples whose label is below `classes`, alternating between the classes up to `limit` (0: all), in
/// ascending order.
std::vector<std::int64_t> positionsBelow(std::span<const std::int32_t> labels, std::int64_t classes,
                                         std::int64_t limit) {
    std::map<std::int32_t, std::int64_t> ranks;
    std::vector<std::pair<std::int64_t, std::int64_t>> ranked;  // rank within its class, position
    for (std::size_t i = 0; i < labels.size(); ++i)
        if (labels[i] < classes) ranked.emplace_back(ranks[labels[i]]++, static_cast<std::int64_t>(i));
    const auto kept = static_cast<std::size_t>(limited(std::ssize(ranked), limit));
    if (kept < ranked.size()) std::ranges::sort(ranked);
    std::vector<std::int64_t> positions;
    for (std::size_t i = 0; i < kept; ++i) positions.push_back(ranked[i].second);
    std::ranges::sort(positions);
    return positions;
}

/// What is taken of a base: the first classes, and of their samples those at some positions.
struct Taken {
    std::vector<std::string> class_names;
    std::vector<std::int64_t> positions;
    std::vector<std::int32_t> labels;
};

Taken takenOf(const std::vector<std::string>& names, std::span<const std::int32_t> labels, std::int64_t classes,
              std::int64_t limit) {
    const auto all = std::ssize(names);
    const std::int64_t kept = classes > 0 ? std::min(classes, all) : all;
    Taken taken{{names.begin(), names.begin() + kept}, positionsBelow(labels, kept, limit), {}};
    for (const std::int64_t position : taken.positions)
        taken.labels.push_back(labels[static_cast<std::size_t>(position)]);
    return taken;
}

/// The drawing, slightly shifted, turned and stretched; as it is where `variant` is 0.
cv::Mat varied(const cv::Mat& drawing, std::uint64_t number, std::uint64_t variant) {
    if (variant == 0) return drawing;
    Random random(kVariantSeed, kVariantPurpose, number, variant);
    const double pixel = drawing.cols / 32.0;
    const double turn = random.uniform(-kDrawingTurn, kDrawingTurn);
    const double stretch = 1 + random.uniform(-kDrawingStretch, kDrawingStretch);
    const double shift = kDrawingShift * pixel;
    cv::Mat map = cv::getRotationMatrix2D({(drawing.cols - 1) / 2.0F, (drawing.rows - 1) / 2.0F}, turn, stretch);
    map.at<double>(0, 2) += random.uniform(-shift, shift);
    map.at<double>(1, 2) += random.uniform(-shift, shift);
    cv::Mat moved;
    cv::warpAffine(drawing, moved, map, drawing.size(), cv::INTER_LINEAR, cv::BORDER_REPLICATE);
    return moved;
}

/// Samples of the base, then the user's drawings, each so many times in turn.
class JoinedTable : public ImageTable {
public:
    JoinedTable(std::shared_ptr<const ImageTable> base, Taken taken, LabelledFiles drawings, std::int64_t times)
        : base_(std::move(base)),
          positions_(std::move(taken.positions)),
          labels_(std::move(taken.labels)),
          drawings_(std::move(drawings)),
          times_(times) {
        for (const std::int32_t label : drawings_.labels()) labels_.insert(labels_.end(), times_, label);
    }

    std::int64_t size() const override { return std::ssize(labels_); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        checkImageIndex(index, size());
        if (const std::int64_t own = index - std::ssize(positions_); own >= 0)
            return varied(drawings_.image(own / times_), static_cast<std::uint64_t>(own / times_),
                          static_cast<std::uint64_t>(own % times_));
        return base_->image(positions_[static_cast<std::size_t>(index)]);
    }
    std::string name(std::int64_t index) const override {
        checkImageIndex(index, size());
        if (const std::int64_t own = index - std::ssize(positions_); own >= 0) return drawings_.name(own / times_);
        return base_->name(positions_[static_cast<std::size_t>(index)]);
    }
    std::string identity() const override {
        const std::string base = base_->identity();
        if (base.empty()) return {};
        Sha256 digest;
        // Each part behind its length, so that no two lists of parts read the same.
        const auto add = [&](std::size_t size, std::string_view text) {
            const std::string part = std::to_string(size) + ":" + std::string(text);
            digest.add(std::as_bytes(std::span(part)));
        };
        for (const std::string& part :
             {std::string(kIdentityVersion), base, drawings_.identity(), std::to_string(times_)})
            add(part.size(), part);
        add(positions_.size(), "");
        digest.add(std::span(positions_));
        return digest.hex();
    }

private:
    std::shared_ptr<const ImageTable> base_;
    std::vector<std::int64_t> positions_;  ///< in the base
    std::vector<std::int32_t> labels_;
    FileTable drawings_;
    std::int64_t times_;
};

struct Drawings {
    std::vector<std::string> class_names;
    LabelledFiles train, test;
};

/// Pictures of one part. `first`: the label of the first class.
LabelledFiles listPart(const fs::path& root, const std::vector<std::string>& classes, std::int32_t first, bool needed) {
    LabelledFiles files;
    files.root = root;
    const auto folders = classFolders(root);
    for (std::size_t c = 0; c < classes.size(); ++c) {
        std::int64_t count = 0;
        if (std::ranges::binary_search(folders, classes[c]))
            count = addPictures(files, classes[c], first + static_cast<std::int32_t>(c));
        if (count > static_cast<std::int64_t>(kMostDrawings))
            throw inputError("The class " + plainLine(classes[c]) + " in " + plainLine(root.string()) + " has " +
                                 std::to_string(count) + " pictures, more than " + std::to_string(kMostDrawings) + ".",
                             "Give a folder of so many pictures as a data set of its own (folder).");
        if (count == 0 && needed)
            throw inputError(
                "The class " + plainLine(classes[c]) + " in " + plainLine(root.string()) + " has no drawing.",
                "Draw it, or take its folder out.");
    }
    return files;
}

/// Own classes behind so many of the base.
Drawings listDrawings(const fs::path& folder, std::size_t behind) {
    const fs::path train = folder / kDrawingsTrain, test = folder / kDrawingsTest;
    Drawings drawings{classFolders(train), {}, {}};
    if (drawings.class_names.empty() || drawings.class_names.size() > kMostDrawnClasses)
        throw inputError("The folder " + plainLine(train.string()) + " has " +
                             std::to_string(drawings.class_names.size()) + " classes.",
                         "There must be one, and at most " + std::to_string(kMostDrawnClasses) + ".");
    const auto first = static_cast<std::int32_t>(behind);
    drawings.train = listPart(train, drawings.class_names, first, true);
    drawings.test = listPart(test, drawings.class_names, first, true);
    return drawings;
}

/// Names of all classes; one that was drawn again under a name of the base says so.
std::vector<std::string> joinedNames(std::vector<std::string> names, const std::vector<std::string>& own) {
    const std::set<std::string> base(names.begin(), names.end());
    for (const std::string& name : own) {
        const std::string plain = plainLine(name);
        names.push_back(base.contains(plain) ? plain + " (drawn)" : plain);
    }
    return names;
}

DatasetRequest baseRequest(const DatasetRequest& request, const DrawingsBase& base) {
    DatasetRequest below = request;
    below.name = base.dataset;
    below.root = base.root;
    below.train_limit = below.test_limit = 0;
    // stream.first_class is for drawn data sets; the notes on options say so.
    below.first_class = 0;
    return below;
}

void requireFolder(const DatasetRequest& request) {
    if (request.root.empty())
        throw inputError("The data set \"own-drawings\" needs a folder of drawings.",
                         "Draw a class in the window (File > Draw a class), or name its folder in Data folder "
                         "(stream.root).");
}

}  // namespace

DatasetSource ownDrawingsSource(std::function<ImageDataset(const DatasetRequest&)> openBase,
                                std::function<LabelsOnly(const DatasetRequest&)> baseLabels) {
    DatasetSource source;
    source.info = drawingsInfo();
    source.open = [openBase = std::move(openBase)](const DatasetRequest& request) {
        requireFolder(request);
        ImageDataset data = openBase(baseRequest(request, readDrawingsBase(request.root)));
        Taken train = takenOf(data.class_names, data.train->labels(), request.classes, request.train_limit);
        Taken test = takenOf(data.class_names, data.test->labels(), request.classes, request.test_limit);
        Drawings own = listDrawings(request.root, train.class_names.size());
        data.name = kOwnDrawings;
        data.title += " and own drawings";
        data.class_names = joinedNames(train.class_names, own.class_names);
        data.folder = request.root;
        const auto firstOwn = std::ssize(test.positions);
        // From each class in turn.
        for (const std::int64_t place :
             positionsBelow(own.test.labels, std::ssize(data.class_names), std::int64_t{kMostWatched}))
            data.watched.push_back(firstOwn + place);
        data.train = std::make_shared<JoinedTable>(data.train, std::move(train), std::move(own.train), kDrawingTimes);
        data.test = std::make_shared<JoinedTable>(data.test, std::move(test), std::move(own.test), 1);
        return data;
    };
    source.labels = [baseLabels = std::move(baseLabels)](const DatasetRequest& request) {
        requireFolder(request);
        const LabelsOnly base = baseLabels(baseRequest(request, readDrawingsBase(request.root)));
        const Taken train = takenOf(base.class_names, base.train, request.classes, request.train_limit);
        const Taken test = takenOf(base.class_names, base.test, request.classes, request.test_limit);
        const Drawings own = listDrawings(request.root, train.class_names.size());
        LabelsOnly labels{base.title + " and own drawings", joinedNames(train.class_names, own.class_names),
                          train.labels, test.labels, request.root};
        for (const std::int32_t label : own.train.labels) labels.train.insert(labels.train.end(), kDrawingTimes, label);
        labels.test.insert(labels.test.end(), own.test.labels.begin(), own.test.labels.end());
        return labels;
    };
    return source;
}

}  // namespace palimpsest
