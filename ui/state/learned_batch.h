// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/run/run_events.h"
#include "engine/stream/stream_plan.h"
#include "ui/state/background.h"
#include "ui/state/stream_planner.h"

namespace palimpsest {

class DatasetService;
struct ShownRun;

/// The batch that a run had learned last at one moment, computed from its stream.
struct LearnedBatch {
    std::int64_t begin = 0;                   ///< images seen before it
    std::int64_t number = 0, count = 0;       ///< from 1, of all batches
    std::vector<std::int64_t> samples;        ///< positions in the training set
    std::vector<std::int32_t> labels;         ///< of its images, raw
    std::vector<std::int32_t> seen;           ///< raw labels in order of first appearance, its own included
    std::vector<std::int32_t> session;        ///< likewise of its session so far
    std::vector<std::int32_t> whole_session;  ///< likewise of its whole session, also those to come
    std::vector<Thumbnail> images;            ///< as far as they could be read
};

/// Batches of `size` of a whole stream; the last one of each session may be shorter.
std::int64_t batchCount(const StreamPlan& plan, std::int64_t size);

/// The batch learned last after `samplesSeen` images of the stream, in batches of `size` that end with their session.
/// Nothing: before the first image, or for labels that do not fit the plan. Without the images.
std::optional<LearnedBatch> learnedBatch(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                         std::int64_t size, std::int64_t samplesSeen);

/// Finds the batch that a run had learned last at a moment, away from the window's thread, and reads its images: the
/// stream is planned again from the run's settings. Of several requests that wait only the newest is answered.
class BatchReader : public QObject {
    Q_OBJECT
public:
    using Batch = std::shared_ptr<const LearnedBatch>;

    /// Without a service there are no images.
    BatchReader(StreamPlanner::Labels labels, std::shared_ptr<const DatasetService> service, QObject* parent = nullptr);
    /// Stops the reading, and waits for its end.
    ~BatchReader() override;

    void request(const ShownRun& run, std::int64_t moment);
    /// Drops the requests: none is answered any more.
    void forget();

Q_SIGNALS:
    /// `why`: a sentence for the user where there are no images. A null batch: nothing is known of it.
    void answered(const QString& run, qint64 moment, const std::shared_ptr<const palimpsest::LearnedBatch>& batch,
                  const QString& why);

private:
    struct Order;
    struct Stream;
    struct Answer;
    void begin(const Order& order);
    void finish(const Order& order, const Answer& answer);
    static Answer answerTo(const Order& order, std::shared_ptr<const Stream> stream,
                           const StreamPlanner::Labels& labels, const DatasetService* service, std::stop_token stop,
                           std::stop_token stopImages);

    const StreamPlanner::Labels labels_;
    const std::shared_ptr<const DatasetService> service_;
    std::shared_ptr<const Stream> stream_;  ///< planned last
    std::shared_ptr<const Order> current_;  ///< being answered; null: none
    std::shared_ptr<const Order> waiting_;
    std::stop_source stop_, stop_images_;
    Background background_;
};

}  // namespace palimpsest
