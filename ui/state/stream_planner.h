// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/run/laboratory.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/stream_statistics.h"
#include "ui/state/background.h"
#include "ui/state/stream_grid.h"

namespace palimpsest {

/// A stream as the window shows it.
struct PlannedStream {
    Experiment experiment;  ///< that asks for it
    std::shared_ptr<const DatasetLabels> labels;
    StreamPlan plan;
    std::vector<std::vector<std::int64_t>> counts;  ///< counts[class][session]
    StreamGrid grid;                                ///< of the counts
    StreamStatistics statistics;
    QString fingerprint;   ///< 16 hex digits
    QStringList warnings;  ///< of lintExperimentStream
};

/// Takes a moment for large streams; any thread. Throws Error.
std::shared_ptr<const PlannedStream> plannedStream(const Experiment& experiment,
                                                   std::shared_ptr<const DatasetLabels> labels);

/// Plans streams away from the window's thread, one at a time. Of several requests that wait only the newest is
/// planned, and where it is of other data, the labels of those that nobody wants any more are given up; results come in
/// the order of the requests.
class StreamPlanner : public QObject {
    Q_OBJECT
public:
    /// Called away from the window's thread, in a StopScope.
    using Labels = std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)>;
    explicit StreamPlanner(Labels labels, QObject* parent = nullptr);
    /// Waits for a plan that is being made, but not for labels that are being read.
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
    bool running_ = false;
    Experiment current_;     ///< of the plan that is being made
    std::stop_source stop_;  ///< of reading its labels
    std::optional<Experiment> waiting_;
    Background background_;
};

}  // namespace palimpsest
