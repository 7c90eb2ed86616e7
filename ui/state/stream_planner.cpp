// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/stream_planner.h"

#include <algorithm>

#include "engine/stream/fitted_stream.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "ui/state/engine_text.h"

namespace palimpsest {
namespace {

constexpr double kFullShare = 255;

/// Starts of `few` places when `many` are shared among them, and the end of the last one.
std::vector<int> bordersOf(int many, int few) {
    std::vector<int> borders;
    for (int i = 0; i <= few; ++i) borders.push_back(few == 0 ? 0 : static_cast<int>(std::int64_t{i} * many / few));
    return borders;
}

/// `cellAt(row, column)` for every cell of `rows` by `columns`, in an order that reads row by row.
template <class CellAt>
StreamGrid gathered(int rows, int columns, int most_rows, int most_columns, CellAt cellAt) {
    StreamGrid grid;
    grid.rows = std::clamp(most_rows, 0, rows);
    grid.columns = std::clamp(most_columns, 0, columns);
    grid.cells.resize(static_cast<std::size_t>(grid.rows) * static_cast<std::size_t>(grid.columns));
    const std::vector<int> down = bordersOf(rows, grid.rows), across = bordersOf(columns, grid.columns);
    auto first = grid.cells.begin();
    for (std::size_t y = 0; y + 1 < down.size(); ++y, first += grid.columns)
        for (int row = down[y]; row < down[y + 1]; ++row) {
            auto strongest = first;
            for (std::size_t x = 0; x + 1 < across.size(); ++x, ++strongest)
                for (int column = across[x]; column < across[x + 1]; ++column)
                    if (const StreamGrid::Cell cell = cellAt(row, column); cell.strength > strongest->strength)
                        *strongest = cell;
        }
    return grid;
}

/// True if two experiments stream the same labels.
bool sameLabels(const StreamOptions& a, const StreamOptions& b) {
    return a.dataset == b.dataset && a.root == b.root && a.classes == b.classes && a.train_limit == b.train_limit &&
           a.test_limit == b.test_limit;
}

}  // namespace

StreamGrid StreamGrid::shrunk(int most_rows, int most_columns) const {
    return gathered(rows, columns, most_rows, most_columns, [this](int row, int column) { return at(row, column); });
}

StreamGrid streamGrid(const std::vector<std::vector<std::int64_t>>& counts, std::span<const ClassHome> homes) {
    std::vector<double> fullest;
    for (const auto& row : counts)
        fullest.push_back(row.empty() ? 0 : static_cast<double>(*std::max_element(row.begin(), row.end())));
    const auto cellAt = [&](int row, int column) {
        const auto label = static_cast<std::size_t>(row);
        const std::int64_t count = counts[label][static_cast<std::size_t>(column)];
        StreamGrid::Cell cell;
        if (count > 0)
            cell.strength = static_cast<std::uint16_t>(1.5 + kFullShare * static_cast<double>(count) / fullest[label]);
        cell.blurry = homes[label].blurry;
        return cell;
    };
    return gathered(static_cast<int>(counts.size()), counts.empty() ? 0 : static_cast<int>(counts.front().size()),
                    StreamGrid::kMostRows, StreamGrid::kMostColumns, cellAt);
}

std::shared_ptr<const PlannedStream> plannedStream(const Experiment& experiment,
                                                   std::shared_ptr<const DatasetLabels> labels) {
    auto stream = std::make_shared<PlannedStream>();
    stream->experiment = experiment;
    stream->labels = std::move(labels);
    const auto& train = stream->labels->train;
    const auto classes = static_cast<std::int64_t>(stream->labels->class_names.size());
    stream->plan = planExperimentStream(experiment, train, classes);
    stream->counts = countSamples(stream->plan, train);
    stream->grid = streamGrid(stream->counts, classHomes(stream->plan));
    stream->statistics = streamStatistics(stream->plan, train);
    stream->fingerprint = QString::fromStdString(stream->plan.fingerprint());
    const auto warnings =
        lintExperimentStream(experiment, stream->plan, train, stream->labels->test, stream->labels->class_names);
    for (const std::string& warning : warnings) stream->warnings.append(QString::fromStdString(warning));
    if (warnings.empty()) return stream;
    const Experiment fitted = fittedToImages(experiment, train, classes);
    if (Experiment trial = experiment;
        takeSizes(trial, fitted) &&
        lintExperimentStream(fitted, planExperimentStream(fitted, train, classes), train, stream->labels->test).size() <
            warnings.size())
        stream->fitted = fitted;
    return stream;
}

bool fitToImages(Experiment& experiment, const PlannedStream& stream) {
    return stream.fitted && takeSizes(experiment, *stream.fitted);
}

struct StreamPlanner::Outcome {
    std::shared_ptr<const PlannedStream> stream;  ///< null: it failed
    QString message, hint;
};

StreamPlanner::StreamPlanner(Labels labels, QObject* parent) : QObject(parent), labels_(std::move(labels)) {}

StreamPlanner::~StreamPlanner() {
    stop_.request_stop();
}

void StreamPlanner::request(const Experiment& experiment) {
    if (!running_) return begin(experiment);
    if (!sameLabels(experiment.stream, current_.stream)) stop_.request_stop();
    waiting_ = experiment;
}

void StreamPlanner::begin(const Experiment& experiment) {
    running_ = true;
    current_ = experiment;
    stop_ = std::stop_source();
    const auto plan = [labels = labels_, experiment, stop = stop_.get_token()] {
        Outcome outcome;
        try {
            const StopScope scope(stop);
            outcome.stream = plannedStream(experiment, labels(experiment));
        } catch (const Error& error) {
            outcome.message = withOptionTitles(std::string(error.what()));
            outcome.hint = withOptionTitles(error.hint());
        } catch (const std::exception& error) {
            outcome.message = tr("The stream cannot be planned: %1.").arg(error.what());
        }
        return outcome;
    };
    background_.run(plan, [this](const Outcome& outcome) { finish(outcome); });
}

void StreamPlanner::finish(const Outcome& outcome) {
    running_ = false;
    const bool superseded = waiting_.has_value();
    if (superseded) begin(*std::exchange(waiting_, std::nullopt));
    // A picture that is a moment old is welcome while a slider moves; its refusal is not.
    if (outcome.stream)
        Q_EMIT planned(outcome.stream);
    else if (!superseded)
        Q_EMIT failed(outcome.message, outcome.hint);
}

}  // namespace palimpsest
