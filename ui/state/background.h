// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QEvent>
#include <QObject>
#include <QRunnable>
#include <QThreadPool>
#include <atomic>
#include <functional>
#include <type_traits>
#include <utility>

#include "ui/state/engine_text.h"
#include "ui/state/handover.h"

namespace palimpsest {

/// Work away from the thread of its owner, whose results come back to that thread through its event loop. With one
/// thread, work is done and answered in the order of the calls. The destructor waits, and nothing is delivered after
/// it; so an owner declares it as its last member, and asks its work to stop in its own destructor.
class Background {
public:
    /// Treatment by the destructor of work that has not begun yet.
    enum class Waiting { Dropped, Finished };

    explicit Background(Waiting atEnd = Waiting::Dropped, int threads = 1) : at_end_(atEnd) {
        pool_.setMaxThreadCount(threads);
    }
    ~Background() {
        if (at_end_ == Waiting::Dropped) pool_.clear();
        pool_.waitForDone();
        takeOver(this);
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;

    /// `work` runs on another thread and must not throw; `done` gets its result, if it has one, on the owner's thread.
    template <class Work, class Done>
    void run(Work work, Done done) {
        start(answered(std::move(work), std::move(done)));
    }
    /// The same for work that may throw: then `failed` gets the Failure instead.
    template <class Work, class Done, class Failed>
    void run(Work work, Done done, Failed failed) {
        start(answered(std::move(work), std::move(done), std::move(failed)));
    }

    /// The same as run(), but only the newest of these calls is answered: older work that has not begun is not done any
    /// more, and the result of what has begun is dropped.
    template <class Work, class... Ends>
    void runNewest(Work work, Ends... ends) {
        startNewest(answered(std::move(work), std::move(ends)...));
    }
    /// No call of runNewest() until now is answered.
    void cancelNewest() { ++newest_; }

    /// Drops all work that has not begun.
    void clear() { pool_.clear(); }

private:
    using Answer = std::function<void()>;  ///< called on the owner's thread; empty: there is none
    using Task = std::function<Answer()>;

    template <class Work, class Done>
    static Answer answerOf(Work& work, Done& done) {
        if constexpr (std::is_void_v<std::invoke_result_t<Work&>>) {
            work();
            return std::move(done);
        } else {
            return [done = std::move(done), result = work()]() mutable { done(std::move(result)); };
        }
    }
    template <class Work, class Done>
    static Task answered(Work work, Done done) {
        return [work = std::move(work), done = std::move(done)]() mutable { return answerOf(work, done); };
    }
    template <class Work, class Done, class Failed>
    static Task answered(Work work, Done done, Failed failed) {
        return [work = std::move(work), done = std::move(done), failed = std::move(failed)]() mutable {
            Answer answer;
            if (auto failure = failureOf([&] { answer = answerOf(work, done); }))
                answer = [failed = std::move(failed), failure = std::move(*failure)]() mutable { failed(failure); };
            return answer;
        };
    }

    /// An answer on its way to the owner's thread.
    class Reply : public QEvent {
    public:
        explicit Reply(Answer answer) : QEvent(QEvent::User), answer_(std::move(answer)) { giveAway(this); }
        ~Reply() override { takeOver(this); }
        void give() {
            takeOver(this);
            answer_();
        }

    private:
        Answer answer_;
    };
    class Receiver : public QObject {
    protected:
        void customEvent(QEvent* event) override { static_cast<Reply*>(event)->give(); }
    };
    /// A task on its way to a thread of the pool.
    class Job : public QRunnable {
    public:
        Job(Background* owner, Task task) : owner_(owner), task_(std::move(task)) { giveAway(this); }
        void run() override {
            takeOver(this);
            if (Answer answer = task_()) QCoreApplication::postEvent(&owner_->receiver_, new Reply(std::move(answer)));
            giveAway(owner_);
        }

    private:
        Background* const owner_;
        Task task_;
    };

    void start(Task task) { pool_.start(new Job(this, std::move(task))); }
    void startNewest(Task task) {
        start([this, number = ++newest_, task = std::move(task)]() mutable -> Answer {
            if (number != newest_) return {};
            return [this, number, answer = task()] {
                if (number == newest_) answer();
            };
        });
    }

    const Waiting at_end_;
    Receiver receiver_;            ///< of the answers; those on their way end with it
    std::atomic<int> newest_ = 0;  ///< number of the newest call of runNewest(); changed by the owner's thread alone
    QThreadPool pool_;
};

}  // namespace palimpsest
