// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/replay_stream.h"

#include <algorithm>
#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include "engine/data/local_dataset_service.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/evenly_spread.h"
#include "engine/train/experiment_inputs.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kMostPictured = 100;  // batches; a page has 3 MB
constexpr std::size_t kShown = 12;           // images of a batch
constexpr int kSide = 32;                    // pixels
constexpr int kJpegQuality = 75;

/// The images side by side.
std::string pictureOf(const std::vector<Thumbnail>& images) {
    cv::Mat row(kSide, kSide * static_cast<int>(images.size()), CV_8UC3, cv::Scalar(128, 128, 128));
    for (std::size_t i = 0; i < images.size(); ++i) {
        const Thumbnail& image = images[i];
        if (image.size <= 0) continue;
        const cv::Mat rgb(image.size, image.size, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data()));
        cv::Mat bgr;
        cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
        cv::resize(bgr, row(cv::Rect(static_cast<int>(i) * kSide, 0, kSide, kSide)), {kSide, kSide}, 0, 0,
                   cv::INTER_AREA);
    }
    std::vector<std::uint8_t> bytes;
    cv::imencode(".jpg", row, bytes, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality});
    return {bytes.begin(), bytes.end()};
}

/// The training images of all batches, in the order of the stream; empty where it is not that of the run.
std::vector<std::int64_t> streamOrder(const RunRecord& run, const DatasetLabels& labels) {
    const StreamPlan plan =
        planExperimentStream(run.experiment, labels.train, static_cast<std::int64_t>(labels.class_names.size()));
    std::vector<std::int64_t> order;
    if (plan.fingerprint() != run.fingerprint) return order;
    for (const std::vector<std::int64_t>& session : plan.sessions)
        order.insert(order.end(), session.begin(), session.end());
    return order;
}

}  // namespace

report::ReplayStream replayStream(const RunRecord& run, const std::vector<std::int64_t>& batches) {
    report::ReplayStream stream;
    // A batch that lacks an image begins elsewhere in the plan, and the folder does not say which one does.
    if (run.state == RecordedState::Imported || run.fingerprint.empty() || run.unreadable_images > 0) return stream;
    try {
        const auto labels = experimentLabels(run.experiment);
        const std::vector<std::int64_t> order = streamOrder(run, *labels);
        for (const std::int64_t image : order)
            stream.labels.push_back(labels->train.at(static_cast<std::size_t>(image)));
        const auto datasets = makeDatasetService();
        for (const std::int64_t kept : evenlySpread(std::ssize(batches), kMostPictured)) {
            const auto at = static_cast<std::size_t>(kept);
            const std::int64_t from = at == 0 ? 0 : batches[at - 1], end = batches[at];
            if (from < 0 || from >= end || end > std::ssize(order)) continue;
            const std::vector<std::int64_t> shown(order.begin() + from,
                                                  order.begin() + std::min<std::int64_t>(end, from + kShown));
            report::ReplayBatch batch{end, end - from, {}, {}};
            for (const std::int64_t image : shown)
                batch.labels.push_back(labels->train.at(static_cast<std::size_t>(image)));
            const std::vector<Thumbnail> images = datasets->samplesAt(run.experiment, shown, kSide, {});
            if (images.size() != shown.size()) continue;
            batch.picture = pictureOf(images);
            stream.batches.push_back(std::move(batch));
        }
    } catch (const std::exception&) {
        // The data set is not here, or not as it was: the page says so in words.
        return {};
    }
    return stream;
}

}  // namespace palimpsest
