// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "datasets/table/image_dataset.h"
#include "engine/config/experiment.h"

namespace palimpsest {

/// Request for the data set that an experiment streams.
DatasetRequest datasetRequest(const Experiment& experiment);

/// A data set that is opened on its own thread, so that waiting for it can be cancelled. The destructor cancels an
/// opening in progress.
class DatasetOpening {
public:
    /// `open` checks StopScope for the cancellation.
    explicit DatasetOpening(std::function<ImageDataset()> open);

    /// The data set; null when `stop` comes first. Throws the error of the opening. Safe to call on several threads at
    /// once.
    std::shared_ptr<const ImageDataset> wait(const std::stop_token& stop);

private:
    void work(const std::stop_token& stop, const std::function<ImageDataset()>& open);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    bool done_ = false;
    std::shared_ptr<const ImageDataset> data_;
    std::exception_ptr fault_;
    std::jthread thread_;  // last, because it uses all members above
};

}  // namespace palimpsest
