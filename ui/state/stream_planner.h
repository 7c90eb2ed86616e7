// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "engine/run/laboratory.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/stream_plan.h"
#include "engine/stream/stream_statistics.h"
#include "ui/state/background.h"

namespace palimpsest {

/// The cells of a stream, classes down and sessions across, gathered to about as many as a picture of it can show: so
/// the window's thread never walks over a million of them. Where several cells fall into one, the strongest is seen.
struct StreamGrid {
    struct Cell {
        std::uint16_t strength = 0;  ///< 0: nothing comes; else 1 + 255 times its share of the class's fullest cell
        bool blurry = false;
    };
    /// More than a screen of high resolution shows in the place that the picture has.
    static constexpr int kMostRows = 400, kMostColumns = 900;

    int rows = 0, columns = 0;
    std::vector<Cell> cells;  ///< row by row

    const Cell& at(int row, int column) const {
        return cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                     static_cast<std::size_t>(column)];
    }
    /// Gathered further, to at most so many rows and columns.
    StreamGrid shrunk(int most_rows, int most_columns) const;
};

/// Grid of counts[class][session].
StreamGrid streamGrid(const std::vector<std::vector<std::int64_t>>& counts, std::span<const ClassHome> homes);

/// A stream as the window shows it.
struct PlannedStream {
    Experiment experiment;  ///< settings of the stream
    std::shared_ptr<const DatasetLabels> labels;
    StreamPlan plan;
    std::vector<std::vector<std::int64_t>> counts;  ///< counts[class][session]
    StreamGrid grid;                                ///< of the counts
    StreamStatistics statistics;
    QString fingerprint;   ///< 16 hex digits
    QStringList warnings;  ///< of lintExperimentStream
    /// The same with sizes that its images can fill, where fewer warnings are left then.
    std::optional<Experiment> fitted;
};

/// Takes over the sizes that the images of a stream can fill; false where there is nothing to take.
bool fitToImages(Experiment& experiment, const PlannedStream& stream);

/// Plans a stream, slowly for a large one; any thread. Throws Error.
std::shared_ptr<const PlannedStream> plannedStream(const Experiment& experiment,
                                                   std::shared_ptr<const DatasetLabels> labels);

/// Plans streams away from the window's thread, one at a time. Of several requests that wait only the newest is
/// planned; if it is of other data, the reading of older labels is stopped. Results come in the order of the requests.
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
