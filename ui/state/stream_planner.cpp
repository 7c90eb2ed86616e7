// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/stream_planner.h"

#include <algorithm>

#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "ui/state/option_titles_in_text.h"

namespace palimpsest {

struct StreamPlanner::Outcome {
    std::shared_ptr<const PlannedStream> stream;  ///< null: it failed
    QString message, hint;
};

namespace {

/// True if two experiments stream the same labels.
bool sameLabels(const StreamOptions& a, const StreamOptions& b) {
    return a.dataset == b.dataset && a.root == b.root && a.classes == b.classes && a.train_limit == b.train_limit &&
           a.test_limit == b.test_limit;
}

}  // namespace

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
    return stream;
}

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
