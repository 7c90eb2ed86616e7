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

/// Threads that read pictures ahead of their use. Idle ones sleep. Urgent work precedes reading ahead; results never
/// depend on which thread does a piece of work, or when.
class ReadPool {
public:
    enum class Urgency { Ahead, Now };
    class Work;

    /// With 0 threads all work is done by the waiting threads.
    explicit ReadPool(int threads);
    /// Waits only for the pieces in progress. No thread may be waiting for work at that time.
    ~ReadPool();

    /// Schedules `piece(i)` for every i below `count`, once each, on any thread. Pieces must not throw, and must own
    /// the objects they use: one may still be in progress after cancel().
    std::shared_ptr<Work> begin(std::size_t count, std::function<void(std::size_t)> piece, Urgency urgency);
    /// Returns when all pieces are done; the calling thread helps.
    void finish(Work& work);
    /// True when all pieces are done: finish() would not wait.
    bool isDone(const Work& work);
    /// Drops the pieces that have not begun. Returns at once.
    void cancel(Work& work);

    std::size_t threads() const { return threads_.size(); }

private:
    using Queue = std::deque<std::shared_ptr<Work>>;
    void serve(std::stop_token stop);
    /// Does the next piece, with `lock` released meanwhile.
    void doPiece(std::unique_lock<std::mutex>& lock, Work& work);
    void forget(const Work& work);

    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable done_;
    Queue now_, ahead_;                  // work with pieces that have not begun
    std::vector<std::jthread> threads_;  // last, because they use all members above
};

/// Number of reading threads out of the threads that the run may use: many beside a GPU, which leaves the processor
/// idle; few beside a network that computes on the processor itself and takes far longer for an image than reading it
/// does.
int readingThreads(int threads, bool besideGpu);

}  // namespace palimpsest
