// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/replay_stream.h"

#include <algorithm>

#include "engine/inputs/experiment_choices.h"
#include "engine/inputs/local_dataset_service.h"
#include "engine/inputs/picture_row.h"
#include "engine/record/run_folder.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/evenly_spread.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kMostPictured = 100;  // batches; a page has 3 MB
constexpr std::size_t kShown = 12;           // images of a batch
constexpr int kSide = 32;                    // pixels
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

ReplayStream replayStream(const RunRecord& run, const std::vector<std::int64_t>& batches) {
    ReplayStream stream;
    // A batch that lacks an image begins elsewhere in the plan, and the folder does not say which one does.
    if (run.state == RecordedState::Imported || run.fingerprint.empty() || run.unreadable_images > 0) return stream;
    try {
        const auto labels = experimentLabels(run.experiment);
        // Settings of strangers may name any folder of pictures: only that of the same classes is the run's.
        if (labels->class_names != run.class_names) return stream;
        const std::vector<std::int64_t> order = streamOrder(run, *labels);
        for (const std::int64_t image : order)
            stream.labels.push_back(labels->train.at(static_cast<std::size_t>(image)));
        const auto datasets = makeDatasetService();
        for (const std::int64_t kept : evenlySpread(std::ssize(batches), kMostPictured)) {
            StopScope::check();
            const auto at = static_cast<std::size_t>(kept);
            const std::int64_t from = at == 0 ? 0 : batches[at - 1], end = batches[at];
            if (from < 0 || from >= end || end > std::ssize(order)) continue;
            const std::vector<std::int64_t> shown(order.begin() + from,
                                                  order.begin() + std::min<std::int64_t>(end, from + kShown));
            ReplayBatch batch{end, end - from, {}, {}};
            for (const std::int64_t image : shown)
                batch.labels.push_back(labels->train.at(static_cast<std::size_t>(image)));
            const std::vector<Thumbnail> images = datasets->samplesAt(run.experiment, shown, kSide, StopScope::token());
            if (images.size() != shown.size()) continue;
            batch.picture = pictureRow(images, kSide);
            if (batch.picture.empty()) continue;
            stream.batches.push_back(std::move(batch));
        }
    } catch (const GivenUp&) {
        throw;
    } catch (const std::exception&) {
        // The data set is not here, or not as it was: the page says so in words.
        return {};
    }
    return stream;
}

}  // namespace palimpsest
