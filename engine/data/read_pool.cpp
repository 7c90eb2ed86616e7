// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/read_pool.h"

#include <algorithm>

namespace palimpsest {

class ReadPool::Work {
public:
    Work(std::size_t count, std::function<void(std::size_t)> piece) : count_(count), piece_(std::move(piece)) {}

private:
    friend class ReadPool;
    std::size_t count_;  // number of pieces to do
    std::function<void(std::size_t)> piece_;
    std::size_t begun_ = 0, done_ = 0;
};

ReadPool::ReadPool(int threads) {
    for (int i = 0; i < threads; ++i) threads_.emplace_back([this](std::stop_token stop) { serve(stop); });
}

ReadPool::~ReadPool() {
    // Stops all threads first, so that joining does not wait for each in turn.
    for (std::jthread& thread : threads_) thread.request_stop();
}

std::shared_ptr<ReadPool::Work> ReadPool::begin(std::size_t count, std::function<void(std::size_t)> piece,
                                                Urgency urgency) {
    auto work = std::make_shared<Work>(count, std::move(piece));
    if (count == 0) return work;
    const std::lock_guard lock(mutex_);
    (urgency == Urgency::Now ? now_ : ahead_).push_back(work);
    wake_.notify_all();
    return work;
}

void ReadPool::forget(const Work& work) {
    for (Queue* queue : {&now_, &ahead_})
        std::erase_if(*queue, [&](const auto& other) { return other.get() == &work; });
}

void ReadPool::doPiece(std::unique_lock<std::mutex>& lock, Work& work) {
    const std::size_t piece = work.begun_++;
    if (work.begun_ == work.count_) forget(work);
    lock.unlock();
    work.piece_(piece);
    lock.lock();
    if (++work.done_ == work.count_) done_.notify_all();
}

void ReadPool::finish(Work& work) {
    std::unique_lock lock(mutex_);
    while (work.begun_ < work.count_) doPiece(lock, work);
    done_.wait(lock, [&] { return work.done_ == work.count_; });
}

bool ReadPool::isDone(const Work& work) {
    const std::lock_guard lock(mutex_);
    return work.done_ == work.count_;
}

void ReadPool::cancel(Work& work) {
    const std::lock_guard lock(mutex_);
    forget(work);
    work.count_ = work.begun_;
}

void ReadPool::serve(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    while (wake_.wait(lock, stop, [this] { return !now_.empty() || !ahead_.empty(); }) && !stop.stop_requested()) {
        // Shared, so that it survives a waiting thread that leaves meanwhile.
        const std::shared_ptr<Work> work = now_.empty() ? ahead_.front() : now_.front();
        doPiece(lock, *work);
    }
}

int readingThreads(int threads, bool besideGpu) {
    return besideGpu ? std::clamp(threads - 1, 1, 16) : std::clamp(threads / 4, 1, 8);
}

}  // namespace palimpsest
