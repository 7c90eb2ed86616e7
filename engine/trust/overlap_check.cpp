// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <opencv2/imgproc.hpp>
#include <thread>
#include <unordered_map>

#include "engine/inputs/dataset_opening.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/evenly_spread.h"
#include "engine/support/format.h"
#include "engine/support/share_work.h"
#include "engine/support/stop_scope.h"
#include "engine/trust/image_views.h"
#include "engine/trust/trust_check.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kQuickTrain = 10'000, kQuickTest = 2'000;
/// Images between two looks at whether the user has asked for an end.
constexpr std::int64_t kBlock = 512;
/// Training images with the same small picture that a test image is compared with.
constexpr std::size_t kMostCandidates = 8;
/// Mean difference of grey levels, of 255, up to which two pictures of 32 x 32 pixels count as one that was saved anew.
constexpr double kSamePicture = 3;
constexpr std::size_t kExamples = 5;

/// What is compared of a picture.
struct Print {
    bool readable = false;
    std::string exact;         ///< digest of size, channels and pixels
    std::uint64_t coarse = 0;  ///< is a pixel brighter than its right neighbour, in a picture of 9 x 8 grey pixels
};

cv::Mat greySmall(const cv::Mat& picture, cv::Size size) {
    cv::Mat grey, small;
    if (picture.channels() == 3)
        cv::cvtColor(picture, grey, cv::COLOR_RGB2GRAY);
    else
        grey = picture;
    cv::resize(grey, small, size, 0, 0, cv::INTER_AREA);
    return small;
}

Print printOf(const cv::Mat& loaded) {
    Print print;
    const cv::Mat picture = loaded.isContinuous() ? loaded : loaded.clone();
    Sha256 digest;
    digest.add(std::array<std::int32_t, 3>{picture.rows, picture.cols, picture.channels()});
    digest.add(std::as_bytes(std::span(picture.data, picture.total() * picture.elemSize())));
    print.exact = digest.hex();
    const cv::Mat small = greySmall(picture, {9, 8});
    for (int row = 0; row < small.rows; ++row)
        for (int column = 0; column + 1 < small.cols; ++column)
            print.coarse = print.coarse << 1 |
                           (small.at<std::uint8_t>(row, column) > small.at<std::uint8_t>(row, column + 1) ? 1 : 0);
    print.readable = true;
    return print;
}

/// Prints of the images at these positions; one that cannot be read has none.
std::vector<Print> printsOf(const TrustContext& context, const ImageTable& table,
                            const std::vector<std::int64_t>& positions, const std::string& what) {
    const std::int64_t asked = context.experiment().threads;
    const int threads = static_cast<int>(asked > 0 ? asked : std::max(1U, std::thread::hardware_concurrency()));
    std::vector<Print> prints(positions.size());
    const auto total = std::ssize(positions);
    for (std::int64_t first = 0; first < total; first += kBlock) {
        context.checkEnd();
        context.say("Reading " + grouped(first) + " of " + grouped(total) + " " + what);
        const auto count = static_cast<std::size_t>(std::min(kBlock, total - first));
        shareWork(count, threads, [&](std::size_t part) {
            const std::size_t i = static_cast<std::size_t>(first) + part;
            try {
                prints[i] = printOf(table.image(positions[i]));
            } catch (const Error&) {
                // A run leaves an image out that cannot be read, and so does this.
            }
        });
    }
    return prints;
}

/// A test image and the training image that shows the same.
struct Pair {
    std::int64_t test = 0, train = 0;
};

bool samePicture(const cv::Mat& a, const cv::Mat& b) {
    cv::Mat difference;
    cv::absdiff(greySmall(a, {32, 32}), greySmall(b, {32, 32}), difference);
    return cv::mean(difference)[0] <= kSamePicture;
}

struct Overlap {
    std::vector<Pair> exact, near;
    std::int64_t more_alike = 0;  ///< test images without a pair that had more candidates than were compared
};

Overlap overlapOf(const TrustContext& context, const ImageDataset& data, const std::vector<std::int64_t>& train,
                  const std::vector<std::int64_t>& test, const std::vector<Print>& trained,
                  const std::vector<Print>& tested) {
    std::unordered_map<std::string, std::int64_t> exact;
    struct Alike {
        std::vector<std::int64_t> compared;
        bool more = false;
    };
    std::unordered_map<std::uint64_t, Alike> coarse;
    for (std::size_t i = 0; i < trained.size(); ++i) {
        if (!trained[i].readable) continue;
        exact.emplace(trained[i].exact, train[i]);
        Alike& alike = coarse[trained[i].coarse];
        if (alike.compared.size() < kMostCandidates)
            alike.compared.push_back(train[i]);
        else
            alike.more = true;
    }
    Overlap overlap;
    for (std::size_t i = 0; i < tested.size(); ++i) {
        if (i % static_cast<std::size_t>(kBlock) == 0) context.checkEnd();
        if (!tested[i].readable) continue;
        if (const auto found = exact.find(tested[i].exact); found != exact.end()) {
            overlap.exact.push_back({test[i], found->second});
            continue;
        }
        const auto alike = coarse.find(tested[i].coarse);
        if (alike == coarse.end()) continue;
        const cv::Mat own = data.test->image(test[i]);
        const std::vector<std::int64_t>& compared = alike->second.compared;
        const auto same = std::find_if(compared.begin(), compared.end(), [&](std::int64_t candidate) {
            return samePicture(own, data.train->image(candidate));
        });
        if (same != compared.end())
            overlap.near.push_back({test[i], *same});
        else
            overlap.more_alike += alike->second.more ? 1 : 0;
    }
    return overlap;
}

void addExamples(TrustVerdict& verdict, const ImageDataset& data, const std::vector<Pair>& pairs,
                 const std::string& what) {
    for (std::size_t i = 0; i < std::min(pairs.size(), kExamples); ++i) {
        const Pair& pair = pairs[i];
        const std::int32_t own = data.test->labels()[static_cast<std::size_t>(pair.test)];
        const std::int32_t other = data.train->labels()[static_cast<std::size_t>(pair.train)];
        const auto nameOf = [&](std::int32_t label) { return data.class_names[static_cast<std::size_t>(label)]; };
        verdict.evidence.push_back(
            {what + " " + std::to_string(i + 1),
             "test " + data.test->name(pair.test) + " and training " + data.train->name(pair.train) +
                 (own == other ? " (" + nameOf(own) + ")" : " (" + nameOf(own) + " and " + nameOf(other) + ")")});
    }
}

}  // namespace

TrustVerdict checkOverlap(TrustContext& context) {
    const StopScope scope(context.control().endToken());
    context.say("Reading the data set");
    const ImageDataset data = context.parts().open(datasetRequest(context.experiment()));
    const std::vector<std::int64_t> train = evenlySpread(data.train->size(), context.quick() ? kQuickTrain : 0);
    const std::vector<std::int64_t> test = evenlySpread(data.test->size(), context.quick() ? kQuickTest : 0);
    if (train.empty() || test.empty()) throw Undecided{"There are no images to compare."};
    const std::vector<Print> trained = printsOf(context, *data.train, train, "training images");
    const std::vector<Print> tested = printsOf(context, *data.test, test, "test images");
    const Overlap overlap = overlapOf(context, data, train, test, trained, tested);

    TrustVerdict verdict;
    const bool cut = std::ssize(train) < data.train->size() || std::ssize(test) < data.test->size();
    if (cut)
        verdict.cut = "Compared were " + grouped(std::ssize(test)) + " of " + grouped(data.test->size()) +
                      " test images with " + grouped(std::ssize(train)) + " of " + grouped(data.train->size()) +
                      " training images, evenly spread: only a part of all pairs.";
    const auto lost = static_cast<std::int64_t>(
        std::count_if(trained.begin(), trained.end(), [](const Print& print) { return !print.readable; }) +
        std::count_if(tested.begin(), tested.end(), [](const Print& print) { return !print.readable; }));
    const auto exact = std::ssize(overlap.exact), near = std::ssize(overlap.near);
    verdict.evidence = {
        {"Test images with the very pixels of a training image", grouped(exact) + " of " + grouped(std::ssize(test))},
        {"Test images that show almost the same", grouped(near) + " of " + grouped(std::ssize(test))},
        {"Images that cannot be read", grouped(lost)}};
    if (overlap.more_alike > 0)
        verdict.evidence.push_back({"Test images with more look-alikes than the " +
                                        grouped(static_cast<std::int64_t>(kMostCandidates)) + " that were compared",
                                    grouped(overlap.more_alike)});
    addExamples(verdict, data, overlap.exact, "Copy");
    addExamples(verdict, data, overlap.near, "Near copy");
    if (exact > 0) {
        verdict.colour = TrustColour::Red;
        verdict.sentence = counted(exact, "test image is", "test images are") +
                           " among the training images, pixel by pixel: knowing them by heart counts as having "
                           "understood.";
    } else if (near > 0) {
        verdict.colour = TrustColour::Amber;
        verdict.sentence = "No test image is a copy of a training image, but " +
                           counted(near, "one shows", "of them show") + " almost the same. Look at the examples.";
    } else {
        verdict.colour = TrustColour::Green;
        verdict.sentence = cut ? "None of the test images that were compared is among the training images that were."
                               : "No test image is among the training images.";
        if (overlap.more_alike > 0)
            verdict.sentence += " A near copy may be among the look-alikes of " +
                                counted(overlap.more_alike, "image", "images") + " that were not compared.";
    }
    return verdict;
}

}  // namespace palimpsest
