// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/learned_batch.h"

#include <algorithm>

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

}  // namespace palimpsest
