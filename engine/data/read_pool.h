// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace palimpsest {

/// Threads that read pictures ahead of those who need them. Idle ones sleep. What is wanted now goes before what is
/// read ahead; which thread does a piece of work, and when, is never to decide a result.
class ReadPool {
public:
    enum class Urgency { Ahead, Now };
    class Work;

    /// With 0 threads all work is done by those who wait for it.
    explicit ReadPool(int threads);
    /// Waits for the pieces in progress alone. Nobody may wait for work then.
    ~ReadPool();

    /// `piece(i)` for every i below `count`, once each, on any thread. Pieces must not throw, and own what they use:
    /// one may still be in progress after cancel().
    std::shared_ptr<Work> begin(std::size_t count, std::function<void(std::size_t)> piece, Urgency urgency);
    /// Returns when all pieces are done; the calling thread helps.
    void finish(Work& work);
    /// What has not begun never will. Returns at once.
    void cancel(Work& work);

    std::size_t threads() const { return threads_.size(); }

private:
    using Queue = std::deque<std::shared_ptr<Work>>;
    void serve(std::stop_token stop);
    /// Does the next piece; `lock` is open meanwhile.
    void doPiece(std::unique_lock<std::mutex>& lock, Work& work);
    void forget(const Work& work);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable done_;
    Queue now_, ahead_;                  // with pieces that nobody has begun
    std::vector<std::jthread> threads_;  // last: they use all of the above
};

/// Threads to read with, of those that the run may use: many beside a GPU, which leaves the processor idle, few beside
/// a network that computes on the processor itself and takes far longer over an image than reading it does.
int readingThreads(int threads, bool besideGpu);

}  // namespace palimpsest
