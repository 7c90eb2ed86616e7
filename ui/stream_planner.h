// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <functional>
#include <memory>
#include <optional>

#include "engine/run/run_service.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/stream_statistics.h"

namespace palimpsest {

/// A stream as the window shows it.
struct PlannedStream {
    Experiment experiment;                          ///< that asks for it
    std::shared_ptr<const DatasetLabels> labels;
    StreamPlan plan;
    std::vector<std::vector<std::int64_t>> counts;  ///< counts[class][session]
    StreamStatistics statistics;
    QString fingerprint;                            ///< 16 hex digits
    QStringList warnings;                           ///< of lintExperimentStream
};

/// Plans streams away from the window's thread, one at a time. Of several requests that wait only the newest is
/// planned; results come in the order of the requests.
class StreamPlanner : public QObject {
    Q_OBJECT
public:
    using Labels = std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)>;
    explicit StreamPlanner(Labels labels, QObject* parent = nullptr);
    /// Waits for a plan that is being made.
    ~StreamPlanner() override;

    void request(const Experiment& experiment);
    bool busy() const { return running_; }

Q_SIGNALS:
    void planned(const std::shared_ptr<const palimpsest::PlannedStream>& stream);
    void failed(const QString& message, const QString& hint);

private:
    struct Outcome;
    void begin(const Experiment& experiment);
    void finish(const Outcome& outcome);

    Labels labels_;
    QThreadPool pool_;
    bool running_ = false;
    std::optional<Experiment> waiting_;
};

}  // namespace palimpsest
