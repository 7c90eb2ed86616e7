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

namespace palimpsest {

/// A data set that is opened on a thread of its own, so that those who wait for it may leave. When it goes, an opening
/// that still goes on is given up.
class DatasetOpening {
public:
    /// `open` asks StopScope whether it is still wanted.
    explicit DatasetOpening(std::function<ImageDataset()> open);

    /// Null when `stop` comes first. Throws what went wrong. Any thread, several at once.
    std::shared_ptr<const ImageDataset> wait(const std::stop_token& stop);

private:
    void work(const std::stop_token& stop, const std::function<ImageDataset()>& open);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    bool done_ = false;
    std::shared_ptr<const ImageDataset> data_;
    std::exception_ptr fault_;
    std::jthread thread_;  // last: it uses all of the above
};

}  // namespace palimpsest
