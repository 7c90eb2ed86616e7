// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/stream_source.h"

#include "engine/data/image_tensor.h"
#include "engine/method/purpose.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::size_t kAhead = 4;        // batches
constexpr std::size_t kThumbnails = 64;  // of one batch
constexpr int kThumbnailSide = 64;

}  // namespace

StreamSource::StreamSource(std::shared_ptr<const ImageTable> table, std::shared_ptr<const StreamPlan> plan,
                           const Settings& settings)
    : table_(std::move(table)), plan_(std::move(plan)), settings_(settings) {
    reader_ = std::jthread([this](std::stop_token stop) { readAhead(stop); });
}

StreamSource::~StreamSource() = default;

std::int32_t StreamSource::label(std::int64_t sample) const {
    return table_->labels()[static_cast<std::size_t>(sample)];
}

Tensor StreamSource::read(std::span<const std::int64_t> samples) const {
    const std::int64_t side = settings_.image_size;
    Tensor bytes = at::empty({static_cast<std::int64_t>(samples.size()), 3, side, side}, at::kByte);
    for (std::size_t i = 0; i < samples.size(); ++i)
        storeImage(bytes, static_cast<std::int64_t>(i), resizedRgb(table_->image(samples[i]), static_cast<int>(side)));
    return bytes;
}

bool StreamSource::hasRoom(std::size_t images) const {
    if (ready_.empty()) return true;
    std::int64_t bytes = static_cast<std::int64_t>(images) * 3 * settings_.image_size * settings_.image_size;
    for (const Ready& waiting : ready_) bytes += waiting.bytes.numel();
    return ready_.size() < kAhead && bytes <= settings_.ahead_bytes;
}

void StreamSource::readAhead(std::stop_token stop) {
    try {
        std::int64_t batch = 0;
        for (const std::vector<std::int64_t>& order : plan_->sessions)
            for (std::size_t first = 0; first < order.size(); first += static_cast<std::size_t>(settings_.batch_size)) {
                const std::size_t count = std::min(order.size() - first, static_cast<std::size_t>(settings_.batch_size));
                {
                    std::unique_lock lock(mutex_);
                    if (!changed_.wait(lock, stop, [&] { return hasRoom(count); })) return;
                }
                Ready next{++batch, read({order.data() + first, count})};
                const std::lock_guard lock(mutex_);
                ready_.push_back(std::move(next));
                changed_.notify_all();
            }
    } catch (...) {
        const std::lock_guard lock(mutex_);
        fault_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    exhausted_ = true;
    changed_.notify_all();
}

const Tensor& StreamSource::bytesOf(std::int64_t batch) {
    while (current_.batch != batch) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !ready_.empty() || exhausted_; });
        if (ready_.empty()) {
            if (fault_) std::rethrow_exception(fault_);
            throw runError("The stream has no batch " + std::to_string(batch) + ".");
        }
        current_ = std::move(ready_.front());
        ready_.pop_front();
        changed_.notify_all();
    }
    return current_.bytes;
}

Tensor StreamSource::images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                            std::span<const std::int64_t> replay) {
    Tensor bytes = bytesOf(batch);
    if (bytes.size(0) != static_cast<std::int64_t>(stream.size()))
        throw runError("Batch " + std::to_string(batch) + " of the stream was asked for out of order.");
    if (!replay.empty()) bytes = at::cat({bytes, read(replay)});
    const Random random(settings_.seed, purpose::kAugment, static_cast<std::uint64_t>(batch),
                        static_cast<std::uint64_t>(update));
    return normalised(augmented(bytes, settings_.augment, random).to(settings_.device), settings_.mean,
                      settings_.deviation);
}

std::vector<Thumbnail> StreamSource::thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) {
    const std::size_t count = std::min(stream.size(), kThumbnails);
    const Tensor bytes =
        bytesOf(batch).narrow(0, 0, static_cast<std::int64_t>(count)).permute({0, 2, 3, 1}).contiguous();
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
