// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/ood_draws.h"

#include <algorithm>
#include <numeric>

#include "engine/support/error.h"
#include "engine/support/purpose.h"
#include "engine/support/random.h"

namespace palimpsest {

OtherDraws::OtherDraws(std::vector<std::vector<std::int64_t>> samples, const Settings& settings)
    : samples_(std::move(samples)), settings_(settings) {
    if (samples_.empty() || settings_.drawn < 1 || settings_.batch_size < 1)
        throw inputError("There are no out-of-distribution images to draw.",
                         "Use at least one other class, and draw at least one.");
    draw();
}

void OtherDraws::draw() {
    Random classes(settings_.seed, purpose::kOtherClasses, static_cast<std::uint64_t>(position_.draw));
    drawn_.resize(samples_.size());
    std::iota(drawn_.begin(), drawn_.end(), std::int64_t{0});
    classes.shuffle(drawn_);
    drawn_.resize(std::min(drawn_.size(), static_cast<std::size_t>(settings_.drawn)));
    order_.clear();
    for (std::size_t place = 0; place < drawn_.size(); ++place)
        for (const std::int64_t sample : samples_[static_cast<std::size_t>(drawn_[place])])
            order_.push_back({sample, static_cast<std::int64_t>(place)});
    Random(settings_.seed, purpose::kOtherOrder, static_cast<std::uint64_t>(position_.draw)).shuffle(order_);
}

OtherDraws::Batch OtherDraws::next() {
    if (position_.next == static_cast<std::int64_t>(order_.size())) {
        position_.next = 0;
        ++position_.passes;
        Random again(settings_.seed, purpose::kOtherResample, static_cast<std::uint64_t>(position_.passes));
        if (again.chance(settings_.resample)) {
            ++position_.draw;
            draw();
        }
    }
    Batch batch{++position_.batches, {}, {}, {}};
    const auto end = std::min(position_.next + settings_.batch_size, static_cast<std::int64_t>(order_.size()));
    for (; position_.next < end; ++position_.next) {
        const Entry& entry = order_[static_cast<std::size_t>(position_.next)];
        batch.samples.push_back(entry.sample);
        batch.classes.push_back(drawn_[static_cast<std::size_t>(entry.place)]);
        batch.places.push_back(entry.place);
    }
    return batch;
}

void OtherDraws::restore(const Position& position) {
    position_ = position;
    draw();
    if (position.draw < 0 || position.passes < 0 || position.batches < 0 || position.next < 0 ||
        position.next > static_cast<std::int64_t>(order_.size()))
        throw inputError("The saved place among the out-of-distribution images cannot be.",
                         "Start the adaptation anew, without resuming.");
}

}  // namespace palimpsest
