// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/dataset_opening.h"

#include <utility>

#include "engine/support/stop_scope.h"

namespace palimpsest {

DatasetRequest datasetRequest(const Experiment& experiment) {
    DatasetRequest request;
    request.name = experiment.stream.dataset;
    request.root = experiment.stream.root;
    request.classes = experiment.stream.classes;
    request.first_class = experiment.stream.first_class;
    request.train_limit = experiment.stream.train_limit;
    request.test_limit = experiment.stream.test_limit;
    return request;
}

DatasetOpening::DatasetOpening(std::function<ImageDataset()> open)
    : thread_([this, open = std::move(open)](const std::stop_token& stop) { work(stop, open); }) {}

void DatasetOpening::work(const std::stop_token& stop, const std::function<ImageDataset()>& open) {
    std::shared_ptr<const ImageDataset> data;
    std::exception_ptr fault;
    try {
        const StopScope scope(stop);
        data = std::make_shared<const ImageDataset>(open());
    } catch (...) {
        fault = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    data_ = std::move(data);
    fault_ = std::move(fault);
    done_ = true;
    wake_.notify_all();
}

std::shared_ptr<const ImageDataset> DatasetOpening::wait(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!wake_.wait(lock, stop, [this] { return done_; })) return nullptr;
    if (fault_) std::rethrow_exception(fault_);
    return data_;
}

}  // namespace palimpsest
