// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/learned_batch.h"

#include <algorithm>

#include "engine/run/dataset_service.h"
#include "engine/support/stop_scope.h"
#include "ui/state/engine_text.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

/// Classes in the order in which they come.
class AppearanceOrder {
public:
    void add(std::int32_t label) {
        if (label < 0) return;
        if (static_cast<std::size_t>(label) >= met_.size()) met_.resize(static_cast<std::size_t>(label) + 1);
        if (met_[static_cast<std::size_t>(label)]) return;
        met_[static_cast<std::size_t>(label)] = true;
        order_.push_back(label);
    }
    std::vector<std::int32_t> order() const { return order_; }

private:
    std::vector<bool> met_;
    std::vector<std::int32_t> order_;
};

constexpr int kSide = 64;  // pixels of a picture, enough for the largest in the panel

}  // namespace

std::int64_t batchCount(const StreamPlan& plan, std::int64_t size) {
    size = std::max<std::int64_t>(1, size);
    std::int64_t count = 0;
    for (const auto& session : plan.sessions) count += (std::ssize(session) + size - 1) / size;
    return count;
}

std::optional<LearnedBatch> learnedBatch(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                         std::int64_t size, std::int64_t samplesSeen) {
    if (samplesSeen <= 0 || size <= 0) return std::nullopt;
    LearnedBatch batch;
    AppearanceOrder seen;
    std::int64_t start = 0;  // of the session
    bool found = false;
    for (const std::vector<std::int64_t>& session : plan.sessions) {
        const auto length = static_cast<std::int64_t>(session.size());
        const std::int64_t batches = (length + size - 1) / size;
        if (!found && samplesSeen > start + length) {
            batch.number += batches;
            for (const std::int64_t sample : session) {
                if (sample < 0 || sample >= std::ssize(labels)) return std::nullopt;
                seen.add(labels[static_cast<std::size_t>(sample)]);
            }
        } else if (!found) {
            found = true;
            const std::int64_t place = (samplesSeen - start - 1) / size;  // of the batch in its session
            const std::int64_t end = std::min(length, (place + 1) * size);
            batch.number += place + 1;
            batch.begin = start + place * size;
            AppearanceOrder now, whole;
            for (std::int64_t i = 0; i < length; ++i) {
                const std::int64_t sample = session[static_cast<std::size_t>(i)];
                if (sample < 0 || sample >= std::ssize(labels)) return std::nullopt;
                const std::int32_t label = labels[static_cast<std::size_t>(sample)];
                whole.add(label);
                if (i >= end) continue;
                seen.add(label);
                now.add(label);
                if (i < place * size) continue;
                batch.samples.push_back(sample);
                batch.labels.push_back(label);
            }
            batch.session = now.order();
            batch.whole_session = whole.order();
        }
        start += length;
    }
    if (!found) return std::nullopt;
    batch.seen = seen.order();
    batch.count = batchCount(plan, size);
    return batch;
}

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
    // A stream that is being planned for the same run is still needed.
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
