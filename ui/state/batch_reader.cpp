// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/batch_reader.h"

#include "engine/run/dataset_service.h"
#include "engine/support/stop_scope.h"
#include "ui/state/failure.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kSide = 64;  // pixels of a picture, enough for the largest in the panel

}  // namespace

struct BatchReader::Order {
    QString run;
    int generation = 0;
    Experiment experiment;
    std::string fingerprint;
    std::vector<std::int64_t> starts;
    std::int64_t moment = 0;

    bool sameStream(const Order& other) const { return run == other.run && generation == other.generation; }
};

/// The stream of a run as this machine plans it.
struct BatchReader::Stream {
    Order order;
    std::shared_ptr<const DatasetLabels> labels;
    StreamPlan plan;
    bool whole = true;  ///< its sessions begin where the run's did
};

struct BatchReader::Answer {
    std::shared_ptr<const Stream> stream;
    Batch batch;
    QString why;
    bool given_up = false;
};

BatchReader::BatchReader(StreamPlanner::Labels labels, std::shared_ptr<const DatasetService> service, QObject* parent)
    : QObject(parent), labels_(std::move(labels)), service_(std::move(service)) {}

BatchReader::~BatchReader() {
    stop_.request_stop();
    stop_images_.request_stop();
}

void BatchReader::request(const ShownRun& run, std::int64_t moment) {
    if (run.facts->imported || run.facts->session_starts.empty() || !labels_) {
        waiting_.reset();
        Q_EMIT answered(run.id, moment, nullptr, tr("Which images were learned then is not known."));
        return;
    }
    const auto order = std::make_shared<const Order>(Order{run.id, run.generation, run.facts->experiment,
                                                           run.facts->fingerprint, run.facts->session_starts, moment});
    if (!current_) return begin(*order);
    // A stream that is being planned for the same run is wanted all the same.
    stop_images_.request_stop();
    if (!current_->sameStream(*order)) stop_.request_stop();
    waiting_ = order;
}

void BatchReader::forget() {
    waiting_.reset();
    if (current_) stop_images_.request_stop();
}

void BatchReader::begin(const Order& order) {
    current_ = std::make_shared<const Order>(order);
    stop_ = std::stop_source();
    stop_images_ = std::stop_source();
    const auto known = stream_ && stream_->order.sameStream(order) ? stream_ : nullptr;
    background_.run(
        [order, known, labels = labels_, service = service_, stop = stop_.get_token(),
         images = stop_images_.get_token()] { return answerTo(order, known, labels, service.get(), stop, images); },
        [this, order](const Answer& answer) { finish(order, answer); });
}

BatchReader::Answer BatchReader::answerTo(const Order& order, std::shared_ptr<const Stream> stream,
                                          const StreamPlanner::Labels& labels, const DatasetService* service,
                                          std::stop_token stop, std::stop_token stopImages) {
    Answer answer;
    if (!stream) {
        const auto failure = failureOf([&] {
            const StopScope scope(stop);
            auto planned = std::make_shared<Stream>();
            planned->order = order;
            planned->labels = labels(order.experiment);
            planned->plan = planExperimentStream(order.experiment, planned->labels->train,
                                                 std::ssize(planned->labels->class_names));
            std::vector<std::int64_t> starts{0};
            for (const auto& session : planned->plan.sessions) starts.push_back(starts.back() + std::ssize(session));
            starts.pop_back();
            planned->whole = starts == order.starts;
            // Files of the same name may hold other images here.
            if (order.fingerprint.empty() || planned->plan.fingerprint() == order.fingerprint) stream = planned;
        });
        if (failure || !stream) {
            answer.given_up = stop.stop_requested();
            answer.why = tr("The images of this run are not on this machine.");
            return answer;
        }
    }
    answer.stream = stream;
    if (!stream->whole) {
        answer.why = tr("Some images could not be read in this run, so what came in this batch is not known.");
        return answer;
    }
    auto batch = learnedBatch(stream->plan, stream->labels->train, order.experiment.training.batch_size, order.moment);
    if (!batch) {
        answer.why = tr("Nothing was learned yet.");
        return answer;
    }
    const auto failure = failureOf([&] {
        if (service) batch->images = service->samplesAt(order.experiment, batch->samples, kSide, stopImages);
    });
    answer.given_up = stopImages.stop_requested();
    if (failure || batch->images.empty()) answer.why = tr("The images of this run are not on this machine.");
    answer.batch = std::make_shared<const LearnedBatch>(std::move(*batch));
    return answer;
}

void BatchReader::finish(const Order& order, const Answer& answer) {
    current_.reset();
    if (answer.stream) stream_ = answer.stream;
    if (waiting_)
        begin(*std::exchange(waiting_, nullptr));
    else if (!answer.given_up)
        Q_EMIT answered(order.run, order.moment, answer.batch, answer.why);
}

}  // namespace palimpsest
