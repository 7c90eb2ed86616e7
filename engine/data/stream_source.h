// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>
#include <optional>

#include "engine/data/augment.h"
#include "engine/data/picture_reader.h"
#include "engine/data/sources.h"
#include "engine/network/device_copies.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Training images of a planned stream. A few batches are read ahead on the pool's threads, as far as memory allows,
/// and so are announced replays. Every random draw depends on (batch, update), so neither threads nor cache nor a pause
/// changes a number. Used on the run's thread alone.
class StreamSource : public TrainSource {
public:
    struct Settings : PictureSettings {
        std::int64_t batch_size = 32;
        Augment augment = Augment::CropFlip;
        std::int64_t ahead_bytes = 256 << 20;  ///< limit; one batch is read ahead whatever its size
        std::int64_t passes = 1;               ///< over each session, consecutively
        std::int64_t passed_over = 0;          ///< batches at the start that are skipped and not read
        /// Images go to the device as they were read, the next batch while the present one is learned, and are varied
        /// there. The same bytes come out.
        bool vary_on_device = false;
    };
    StreamSource(std::shared_ptr<const ImageTable> table, std::shared_ptr<const StreamPlan> plan,
                 const Settings& settings);

    std::int32_t label(std::int64_t sample) const override;
    /// Opens a batch. Batches are requested in order; some may be skipped.
    std::vector<std::int64_t> open(std::int64_t batch, std::span<const std::int64_t> stream) override;
    void expect(std::int64_t batch, const std::vector<std::vector<std::int64_t>>& replay) override;
    ShownImages images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override;
    ShownImages past(std::int64_t batch, std::int64_t draw, std::span<const std::int64_t> samples) override;
    ShownImages plain(std::span<const std::int64_t> samples) override;
    /// Thumbnails of at most the first 64 pictures of the batch, of at most 64 pixels a side.
    std::vector<Thumbnail> thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) override;

    UnreadableImages& unreadable() { return unreadable_; }

private:
    using Reading = std::unique_ptr<PictureReader::Reading>;
    /// Samples that an update will replay; `reading` is null until there is room for it.
    struct AnnouncedReplay {
        std::int64_t batch = 0, update = 0;
        std::vector<std::int64_t> samples;
        Reading reading;
    };
    /// A batch that has been read.
    struct Opened {
        std::vector<std::int64_t> planned;
        PictureReader::Pictures pictures;
        StagedCopy there;  // its bytes on the device, with vary_on_device
    };
    Opened opened(Reading reading);
    /// Sends the next batch on its way to the device, if it has been read.
    void stageNext();
    /// Begins as many readings as there is room for: replays first, then the stream.
    void readAhead();
    bool hasRoom(std::size_t images) const;
    /// Samples of the next batch that is not being read yet; empty at the end of the stream.
    std::span<const std::int64_t> nextPlanned();
    Opened& batchOf(std::int64_t batch);
    /// Under the training transform with these draws.
    ShownImages varied(const Tensor& bytes, std::vector<std::int64_t> samples, const Random& random) const;
    /// Bytes [B, 3, S, S] of these variants, or of variants without numbers.
    ShownImages shownAs(const Tensor& bytes, const std::vector<std::int64_t>& variants,
                        std::vector<std::int64_t> samples) const;
    PictureReader::Pictures replayed(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> samples);

    std::shared_ptr<const ImageTable> table_;
    std::shared_ptr<const StreamPlan> plan_;
    Settings settings_;
    PictureReader reader_;
    UnreadableImages unreadable_;
    std::size_t session_ = 0, first_ = 0;  // start of the next batch to read
    std::int64_t pass_ = 0;                // over that session
    std::int64_t opened_ = 0;              // number of the current batch
    CopyStream copies_;
    Opened current_;
    std::optional<Opened> next_;           // batch opened_ + 1, on its way to the device
    std::deque<Reading> ahead_;            // of the batches behind these
    std::deque<AnnouncedReplay> replays_;  // in the order they will be requested
};

}  // namespace palimpsest
