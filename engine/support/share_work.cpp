// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/share_work.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <exception>
#include <list>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace palimpsest {
namespace {

struct Job {
    const std::function<void(std::size_t)>& work;
    const std::size_t parts;
    std::atomic<std::size_t> next{0};
    // The rest belongs to the crew's mutex.
    int wanted = 0;  // helpers that may still join
    int active = 0;  // helpers at work
    std::exception_ptr failure;

    bool allTaken() const { return next.load(std::memory_order_relaxed) >= parts; }
};

/// Threads that help with the jobs of others.
class Crew {
public:
    ~Crew() {
        {
            const std::lock_guard lock(mutex_);
            ending_ = true;
        }
        work_.notify_all();
    }

    void run(Job& job, int helpers) {
        {
            const std::lock_guard lock(mutex_);
            enlist(helpers);
            job.wanted = std::min(helpers, static_cast<int>(threads_.size()));
            jobs_.push_back(&job);
        }
        for (int i = 0; i < helpers; ++i) work_.notify_one();
        doParts(job);
        std::unique_lock lock(mutex_);
        jobs_.remove(&job);
        done_.wait(lock, [&] { return job.active == 0; });
        if (job.failure) std::rethrow_exception(job.failure);
    }

private:
    void enlist(int helpers) {
        if (static_cast<int>(threads_.size()) >= helpers) return;
        // Signals are for the program's own threads.
        sigset_t all, before;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        try {
            while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { help(); });
        } catch (const std::system_error&) {
            // The machine has no more threads: those that there are do the work.
        }
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
    }

    void help() {
        std::unique_lock lock(mutex_);
        for (;;) {
            Job* job = nullptr;
            work_.wait(lock, [&] {
                const auto found = std::find_if(jobs_.begin(), jobs_.end(),
                                                [](const Job* j) { return j->wanted > 0 && !j->allTaken(); });
                job = found == jobs_.end() ? nullptr : *found;
                return ending_ || job;
            });
            if (ending_) return;
            --job->wanted;
            ++job->active;
            lock.unlock();
            doParts(*job);
            lock.lock();
            if (--job->active == 0) done_.notify_all();
        }
    }

    void doParts(Job& job) {
        try {
            for (std::size_t part = job.next++; part < job.parts; part = job.next++) job.work(part);
        } catch (...) {
            job.next = job.parts;
            const std::lock_guard lock(mutex_);
            if (!job.failure) job.failure = std::current_exception();
        }
    }

    std::mutex mutex_;
    std::condition_variable work_, done_;
    std::list<Job*> jobs_;
    bool ending_ = false;
    std::vector<std::jthread> threads_;  // the last member: they end before what they use
};

}  // namespace

void shareWork(std::size_t parts, int threads, const std::function<void(std::size_t part)>& work) {
    const int helpers =
        static_cast<int>(std::min<std::size_t>(parts, static_cast<std::size_t>(std::max(threads, 1)))) - 1;
    if (helpers <= 0) {
        for (std::size_t part = 0; part < parts; ++part) work(part);
        return;
    }
    static Crew crew;
    Job job{.work = work, .parts = parts, .next = {}, .failure = {}};
    crew.run(job, helpers);
}

}  // namespace palimpsest
