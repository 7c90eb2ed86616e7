// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/stream_source.h"

#include <algorithm>

#include "engine/data/picture_tensor.h"
#include "engine/network/device_copies.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr std::size_t kAhead = 4;        // batches
constexpr std::size_t kThumbnails = 64;  // of one batch
constexpr int kThumbnailSide = 64;
constexpr std::int64_t kMostVariants = 1 << 20;  // of an image; far more than crop and flip make of any

/// Number that identifies a reading of the run: a batch of the stream, or the samples that an update replays.
std::uint64_t drawOf(std::int64_t batch, std::int64_t update = -1) {
    constexpr std::uint64_t kUpdates = 1 << 16, kMany = std::uint64_t{1} << 63;
    if (static_cast<std::uint64_t>(update + 1) >= kUpdates)  // updates after a session are not bounded so
        return kMany + (static_cast<std::uint64_t>(batch) << 32) + static_cast<std::uint64_t>(update);
    return static_cast<std::uint64_t>(batch) * kUpdates + static_cast<std::uint64_t>(update + 1);
}

}  // namespace

StreamSource::StreamSource(std::shared_ptr<const ImageTable> table, std::shared_ptr<const StreamPlan> plan,
                           const Settings& settings)
    : table_(std::move(table)),
      plan_(std::move(plan)),
      settings_(settings),
      reader_(table_, settings, true),
      unreadable_("training images", settings.place, plan_->totalSamples()),
      copies_(settings.device) {
    for (; opened_ < settings_.passed_over; ++opened_) first_ += nextPlanned().size();
    readAhead();
}

std::int32_t StreamSource::label(std::int64_t sample) const {
    return table_->labels()[static_cast<std::size_t>(sample)];
}

std::span<const std::int64_t> StreamSource::nextPlanned() {
    while (session_ < plan_->sessions.size() && first_ >= plan_->sessions[session_].size()) {
        first_ = 0;
        if (++pass_ < settings_.passes) continue;
        pass_ = 0;
        ++session_;
    }
    if (session_ == plan_->sessions.size()) return {};
    const std::span<const std::int64_t> rest = std::span(plan_->sessions[session_]).subspan(first_);
    return rest.first(std::min(rest.size(), static_cast<std::size_t>(settings_.batch_size)));
}

bool StreamSource::hasRoom(std::size_t images) const {
    std::int64_t bytes = static_cast<std::int64_t>(images) * 3 * settings_.image_size * settings_.image_size;
    for (const Reading& reading : ahead_) bytes += reading->bytes();
    if (next_) bytes += next_->pictures.bytes.numel();
    for (const AnnouncedReplay& replay : replays_) bytes += replay.reading ? replay.reading->bytes() : 0;
    return bytes <= settings_.ahead_bytes;
}

void StreamSource::readAhead() {
    for (AnnouncedReplay& replay : replays_) {
        if (replay.reading) continue;
        if (!hasRoom(replay.samples.size())) break;
        replay.reading = reader_.begin(replay.samples, drawOf(replay.batch, replay.update), ReadPool::Urgency::Now);
    }
    while (ahead_.size() < kAhead) {
        const std::span<const std::int64_t> next = nextPlanned();
        if (next.empty() || (!ahead_.empty() && !hasRoom(next.size()))) return;
        const std::int64_t batch = opened_ + (next_ ? 1 : 0) + static_cast<std::int64_t>(ahead_.size()) + 1;
        ahead_.push_back(reader_.begin({next.begin(), next.end()}, drawOf(batch), ReadPool::Urgency::Ahead));
        first_ += next.size();
    }
}

StreamSource::Opened StreamSource::opened(Reading reading) {
    Opened batch{reading->samples(), reader_.finish(std::move(reading)), {}};
    if (settings_.vary_on_device) batch.there = copies_.begin(batch.pictures.bytes);
    return batch;
}

void StreamSource::stageNext() {
    if (!settings_.vary_on_device || next_ || ahead_.empty() || !ahead_.front()->isDone()) return;
    Reading next = std::move(ahead_.front());
    ahead_.pop_front();
    next_ = opened(std::move(next));
    readAhead();
}

StreamSource::Opened& StreamSource::batchOf(std::int64_t batch) {
    while (opened_ != batch) {
        readAhead();
        if ((!next_ && ahead_.empty()) || batch < opened_)
            throw runError("The stream has no batch " + std::to_string(batch) + ".");
        Reading reading;
        if (!next_) {
            reading = std::move(ahead_.front());
            ahead_.pop_front();
        }
        ++opened_;
        current_ = next_ ? std::move(*next_) : Opened();
        next_.reset();
        // Reading ahead resumes before the wait, so that the threads stay busy.
        readAhead();
        if (reading) current_ = opened(std::move(reading));
        unreadable_.tried(current_.planned, current_.pictures.failed);
    }
    return current_;
}

std::vector<std::int64_t> StreamSource::open(std::int64_t batch, std::span<const std::int64_t>) {
    return batchOf(batch).pictures.samples;
}

void StreamSource::expect(std::int64_t batch, const std::vector<std::vector<std::int64_t>>& replay) {
    for (std::size_t update = 0; update < replay.size(); ++update)
        if (!replay[update].empty())
            replays_.push_back({batch, static_cast<std::int64_t>(update), replay[update], nullptr});
    readAhead();
}

PictureReader::Pictures StreamSource::replayed(std::int64_t batch, std::int64_t update,
                                               std::span<const std::int64_t> samples) {
    const auto passed = [&](const AnnouncedReplay& replay) {
        return std::pair(replay.batch, replay.update) < std::pair(batch, update);
    };
    while (!replays_.empty() && passed(replays_.front())) replays_.pop_front();
    Reading reading;
    if (!replays_.empty() && replays_.front().batch == batch && replays_.front().update == update) {
        if (std::ranges::equal(replays_.front().samples, samples)) reading = std::move(replays_.front().reading);
        replays_.pop_front();
    }
    if (!reading) {
        if (samples.empty()) return {};
        reading = reader_.begin({samples.begin(), samples.end()}, drawOf(batch, update), ReadPool::Urgency::Now);
    }
    PictureReader::Pictures pictures = reader_.finish(std::move(reading));
    unreadable_.lost(pictures.failed);
    readAhead();
    return pictures;
}

ShownImages StreamSource::images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                                 std::span<const std::int64_t> replay) {
    Opened& fresh = batchOf(batch);
    if (!std::ranges::equal(fresh.pictures.samples, stream))
        throw runError("Batch " + std::to_string(batch) + " of the stream was asked for out of order.");
    const PictureReader::Pictures old = replayed(batch, update, replay);
    std::vector<std::int64_t> samples = fresh.pictures.samples;
    samples.insert(samples.end(), old.samples.begin(), old.samples.end());
    Tensor bytes = settings_.vary_on_device ? fresh.there.get() : fresh.pictures.bytes;
    if (!old.samples.empty())
        bytes = at::cat({bytes, settings_.vary_on_device ? onDevice(old.bytes, settings_.device) : old.bytes});
    const Random random(settings_.seed, purpose::kAugment, static_cast<std::uint64_t>(batch),
                        static_cast<std::uint64_t>(update));
    ShownImages result = varied(bytes, std::move(samples), random);
    stageNext();
    return result;
}

ShownImages StreamSource::past(std::int64_t batch, std::int64_t draw, std::span<const std::int64_t> samples) {
    const PictureReader::Pictures pictures = replayed(batch, draw, samples);
    if (pictures.samples.empty()) return {};
    const Random random(settings_.seed, purpose::kAugmentPast, static_cast<std::uint64_t>(batch),
                        static_cast<std::uint64_t>(draw));
    return varied(pictures.bytes, pictures.samples, random);
}

ShownImages StreamSource::varied(const Tensor& bytes, std::vector<std::int64_t> samples, const Random& random) const {
    const Tensor there = settings_.vary_on_device ? onDevice(bytes, settings_.device) : bytes;
    return shownAs(augmented(there, settings_.augment, random),
                   variants(bytes.size(0), bytes.size(2), settings_.augment, random), std::move(samples));
}

ShownImages StreamSource::shownAs(const Tensor& bytes, const std::vector<std::int64_t>& variants,
                                  std::vector<std::int64_t> samples) const {
    ShownImages shown{normalised(onDevice(bytes, settings_.device), settings_.mean, settings_.deviation),
                      std::move(samples)};
    // A crop that is drawn anew at each reading has no number.
    if (variants.empty() || settings_.load_shape == LoadShape::ShortSideCrop) return shown;
    for (std::size_t i = 0; i < shown.samples.size(); ++i)
        shown.views.push_back(shown.samples[i] * kMostVariants + variants[i]);
    return shown;
}

ShownImages StreamSource::plain(std::span<const std::int64_t> samples) {
    if (samples.empty()) return {};
    const auto unvaried = [&](const Tensor& bytes, std::vector<std::int64_t> which) {
        const std::vector<std::int64_t> none(which.size(), 0);
        return shownAs(bytes, none, std::move(which));
    };
    // Images of the current batch are in memory, with the crops they have there.
    std::vector<std::int64_t> places;
    for (const std::int64_t sample : samples)
        if (const auto found = std::ranges::find(current_.pictures.samples, sample);
            found != current_.pictures.samples.end())
            places.push_back(found - current_.pictures.samples.begin());
    if (places.size() == samples.size())
        return unvaried(current_.pictures.bytes.index_select(0, at::tensor(places, at::kLong)),
                        {samples.begin(), samples.end()});
    // Others are read again. Random crops use the draw of batch 0, which no stream has, so that an older image always
    // gets the same crop.
    const PictureReader::Pictures pictures = reader_.read({samples.begin(), samples.end()}, drawOf(0));
    unreadable_.lost(pictures.failed);
    if (pictures.samples.empty()) return {};
    return unvaried(pictures.bytes, pictures.samples);
}

std::vector<Thumbnail> StreamSource::thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) {
    const std::size_t count = std::min(stream.size(), kThumbnails);
    const Tensor bytes =
        batchOf(batch).pictures.bytes.narrow(0, 0, static_cast<std::int64_t>(count)).permute({0, 2, 3, 1}).contiguous();
    const auto side = static_cast<int>(bytes.size(1));
    std::vector<Thumbnail> pictures;
    for (std::size_t i = 0; i < count; ++i) {
        const cv::Mat whole(side, side, CV_8UC3, bytes[static_cast<std::int64_t>(i)].data_ptr<std::uint8_t>());
        const cv::Mat small = resizedRgb(whole, std::min(side, kThumbnailSide));
        pictures.push_back({small.rows, label(stream[i]), {small.datastart, small.dataend}});
    }
    return pictures;
}

}  // namespace palimpsest
