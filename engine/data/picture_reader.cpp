// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/picture_reader.h"
#include "engine/support/random.h"

#include <exception>
#include <new>
#include <opencv2/core.hpp>

#include "engine/data/picture_tensor.h"
#include "engine/network/device_copies.h"
#include "engine/support/error.h"

namespace palimpsest {

struct PictureReader::Reading::State {
    std::vector<std::int64_t> samples;
    Tensor bytes;                      // one row a sample
    std::vector<std::string> reasons;  // failure of each sample, or empty
    std::mutex mutex;
    std::exception_ptr fault;
};

namespace {

/// Loads a picture into its row. Returns the reason if it cannot be decoded, else an empty text.
std::string load(const PictureReader::Setup& setup, std::int64_t sample, std::uint64_t draw, Tensor& batch,
                 std::int64_t row) {
    const int side = static_cast<int>(setup.side);
    if (setup.cache) {
        thread_local std::vector<std::uint8_t> kept;
        kept.resize(static_cast<std::size_t>(setup.cache->pictureBytes()));
        if (setup.cache->read(sample, kept)) {
            storeImage(batch, row, cv::Mat(side, side, CV_8UC3, kept.data()));
            return {};
        }
    }
    cv::Mat picture;
    try {
        picture = loadedImage(setup.table->image(sample), setup.shape, side, setup.train,
                              Random(setup.seed, setup.purpose, draw, static_cast<std::uint64_t>(sample)));
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Input) throw;
        return error.what();
    } catch (const cv::Exception& error) {
        // An image must not be left out because the machine had no room for it.
        if (error.code == cv::Error::StsNoMem) throw std::bad_alloc();
        return "It cannot be decoded (" + error.err + ").";
    }
    storeImage(batch, row, picture);
    if (setup.cache) {
        if (!picture.isContinuous()) picture = picture.clone();
        setup.cache->write(sample, {picture.data, picture.total() * picture.elemSize()});
    }
    return {};
}

}  // namespace

PictureReader::Reading::~Reading() {
    if (work_) pool_->cancel(*work_);
}

const std::vector<std::int64_t>& PictureReader::Reading::samples() const {
    return state_->samples;
}

std::int64_t PictureReader::Reading::bytes() const {
    return state_->bytes.numel();
}

PictureReader::PictureReader(std::shared_ptr<const ImageTable> table, const PictureSettings& settings, bool train)
    : PictureReader({.table = std::move(table),
                     .shape = settings.load_shape,
                     .side = settings.image_size,
                     .train = train,
                     .seed = settings.seed,
                     .purpose = train ? purpose::kLoadTrain : purpose::kLoadTest,
                     .cache = settings.cache,
                     .device = settings.device},
                    settings.pool) {}

PictureReader::PictureReader(Setup setup, std::shared_ptr<ReadPool> pool)
    : setup_(std::make_shared<const Setup>(std::move(setup))),
      pool_(pool ? std::move(pool) : std::make_shared<ReadPool>(0)) {}

std::unique_ptr<PictureReader::Reading> PictureReader::begin(std::vector<std::int64_t> samples, std::uint64_t draw,
                                                             ReadPool::Urgency urgency) const {
    auto state = std::make_shared<Reading::State>();
    state->bytes =
        emptyFor(setup_->device, {static_cast<std::int64_t>(samples.size()), 3, setup_->side, setup_->side}, at::kByte);
    state->reasons.resize(samples.size());
    state->samples = std::move(samples);
    auto reading = std::make_unique<Reading>();
    reading->state_ = state;
    reading->pool_ = pool_;
    reading->work_ = pool_->begin(
        state->samples.size(),
        [setup = setup_, state, draw](std::size_t i) {
            try {
                state->reasons[i] = load(*setup, state->samples[i], draw, state->bytes, static_cast<std::int64_t>(i));
            } catch (...) {
                const std::lock_guard lock(state->mutex);
                if (!state->fault) state->fault = std::current_exception();
            }
        },
        urgency);
    return reading;
}

PictureReader::Pictures PictureReader::finish(std::unique_ptr<Reading> reading) const {
    pool_->finish(*reading->work_);
    Reading::State& state = *reading->state_;
    if (state.fault) std::rethrow_exception(state.fault);
    Pictures result{state.bytes, {}, {}};
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < state.samples.size(); ++i) {
        const std::int64_t sample = state.samples[i];
        if (state.reasons[i].empty()) {
            rows.push_back(static_cast<std::int64_t>(i));
            result.samples.push_back(sample);
        } else {
            result.failed.push_back({sample, setup_->table->name(sample), state.reasons[i]});
        }
    }
    if (!result.failed.empty()) result.bytes = state.bytes.index_select(0, at::tensor(rows, at::kLong));
    return result;
}

}  // namespace palimpsest
