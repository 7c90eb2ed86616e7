// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>

#include "ui/state/background.h"
#include "ui/state/learned_batch.h"
#include "ui/state/stream_planner.h"

namespace palimpsest {

class DatasetService;
struct ShownRun;

/// Finds out, away from the window's thread, what a run had learned last at a moment, and reads the images: the stream
/// is planned again from the run's settings. Of several requests that wait only the newest is answered.
class BatchReader : public QObject {
    Q_OBJECT
public:
    using Batch = std::shared_ptr<const LearnedBatch>;

    /// Without a service there are no images.
    BatchReader(StreamPlanner::Labels labels, std::shared_ptr<const DatasetService> service, QObject* parent = nullptr);
    /// Gives up what is being read, and waits for it.
    ~BatchReader() override;

    void request(const ShownRun& run, std::int64_t moment);
    /// Nobody waits for an answer any more.
    void forget();

Q_SIGNALS:
    /// `why`: a sentence for people where there are no images. A null batch: nothing is known of it.
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
