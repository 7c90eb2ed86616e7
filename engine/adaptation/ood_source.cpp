// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/ood_source.h"

#include <algorithm>
#include <numeric>

#include "engine/data/picture_tensor.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr std::size_t kOodAhead = 2;  // batches, including the one being waited for

PictureReader::Setup readerSetup(std::shared_ptr<const ImageTable> table, const PictureSettings& pictures) {
    return {.table = std::move(table),
            .shape = pictures.load_shape,
            .side = pictures.image_size,
            .train = true,
            .seed = pictures.seed,
            .purpose = purpose::kLoadOther,
            .cache = pictures.cache};
}

Augment twice(Augment augment) {
    augment.policy_rounds = 2;
    return augment;
}

}  // namespace

OodDraws::OodDraws(std::vector<std::vector<std::int64_t>> samples, const Settings& settings)
    : samples_(std::move(samples)), settings_(settings) {
    if (samples_.empty() || settings_.drawn < 1 || settings_.batch_size < 1)
        throw inputError("There are no out-of-distribution images to draw.",
                         "Use at least one other class, and draw at least one.");
    draw();
}

void OodDraws::draw() {
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

OodDraws::Batch OodDraws::next() {
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

void OodDraws::restore(const Position& position) {
    position_ = position;
    draw();
    if (position.draw < 0 || position.passes < 0 || position.batches < 0 || position.next < 0 ||
        position.next > static_cast<std::int64_t>(order_.size()))
        throw inputError("The saved place among the out-of-distribution images cannot be.",
                         "Start the adaptation anew, without resuming.");
}

OodSource::OodSource(std::shared_ptr<const ImageTable> table, OodDraws draws, const PictureSettings& pictures,
                     Augment augment)
    : pictures_(pictures),
      augment_(twice(augment)),
      draws_(std::move(draws)),
      position_(draws_.position()),
      reader_(readerSetup(table, pictures), pictures.pool),
      unreadable_("out-of-distribution images", pictures.place, table->size()) {}

void OodSource::restore(const OodDraws::Position& position) {
    coming_.clear();
    draws_.restore(position);
    position_ = position;
}

void OodSource::readAhead() {
    while (coming_.size() < kOodAhead) {
        OodDraws::Batch batch = draws_.next();
        auto reading = reader_.begin(batch.samples, static_cast<std::uint64_t>(batch.number),
                                     coming_.empty() ? ReadPool::Urgency::Now : ReadPool::Urgency::Ahead);
        coming_.push_back({std::move(batch), draws_.position(), std::move(reading)});
    }
}

OodSource::Batch OodSource::next() {
    const std::int64_t passes = position_.passes;
    for (;;) {
        readAhead();
        Coming now = std::move(coming_.front());
        coming_.pop_front();
        position_ = now.after;
        const PictureReader::Pictures pictures = reader_.finish(std::move(now.reading));
        unreadable_.tried(now.batch.samples, pictures.failed);
        if (pictures.samples.empty()) {
            if (position_.passes > passes + 1)
                throw runError("None of the out-of-distribution images drawn from " + pictures_.place + " can be read.",
                               "Check that the folder is complete and that you may read it.");
            continue;
        }
        Batch batch;
        batch.samples = pictures.samples;
        // Readable samples are in the requested order.
        std::size_t read = 0;
        for (std::size_t i = 0; i < now.batch.samples.size() && read < pictures.samples.size(); ++i) {
            if (now.batch.samples[i] != pictures.samples[read]) continue;
            batch.classes.push_back(now.batch.classes[i]);
            batch.places.push_back(now.batch.places[i]);
            ++read;
        }
        const Random random(pictures_.seed, purpose::kOtherAugment, static_cast<std::uint64_t>(now.batch.number));
        batch.images = normalised(augmented(pictures.bytes, augment_, random).to(pictures_.device), pictures_.mean,
                                  pictures_.deviation);
        return batch;
    }
}

}  // namespace palimpsest
