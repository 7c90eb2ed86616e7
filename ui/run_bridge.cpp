// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run_bridge.h"

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace palimpsest {
namespace {

constexpr int kFrameMs = 16;

using News = std::variant<RunStarted, StateChanged, Progress, BatchLearned, QVector<UpdateDone>, Evaluated, SessionEnded,
                          RunEnded>;

std::int64_t runOf(const News& news) {
    return std::visit(
        [](const auto& event) {
            if constexpr (std::is_same_v<std::decay_t<decltype(event)>, QVector<UpdateDone>>)
                return event.front().run;
            else
                return event.run;
        },
        news);
}

}  // namespace

struct RunBridge::Mailbox {
    std::mutex mutex;
    std::vector<News> news;   // guarded by mutex
    bool woken = false;       // guarded by mutex: a drain is on its way
    std::int64_t current = 0; // UI thread only
    QElapsedTimer last_drain; // UI thread only

    /// Appends; tells whether the window's thread has to be woken.
    bool post(News&& item) {
        const std::lock_guard lock(mutex);
        news.push_back(std::move(item));
        return !std::exchange(woken, true);
    }

    /// The same, but an older piece of this kind and run gives way.
    template <typename Event>
    bool postNewest(const Event& event) {
        const std::lock_guard lock(mutex);
        // From the back: the older piece is nearly always among the last few.
        const auto older = std::find_if(news.rbegin(), news.rend(), [&](const News& item) {
            const Event* other = std::get_if<Event>(&item);
            return other && other->run == event.run;
        });
        if (older != news.rend()) news.erase(std::next(older).base());
        news.push_back(event);
        return !std::exchange(woken, true);
    }
};

RunBridge::RunBridge(QObject* parent) : QObject(parent), mailbox_(std::make_unique<Mailbox>()) {}
RunBridge::~RunBridge() = default;

void RunBridge::setCurrentRun(std::int64_t run) { mailbox_->current = run; }

void RunBridge::wake() {
    QMetaObject::invokeMethod(
        this,
        [this] {
            const QElapsedTimer& last = mailbox_->last_drain;
            const qint64 rest = last.isValid() ? kFrameMs - last.elapsed() : 0;
            if (rest <= 0)
                drain();
            else
                QTimer::singleShot(static_cast<int>(rest), Qt::PreciseTimer, this, [this] { drain(); });
        },
        Qt::QueuedConnection);
}

void RunBridge::onStarted(const RunStarted& event) {
    if (mailbox_->post(event)) wake();
}
void RunBridge::onState(const StateChanged& event) {
    if (mailbox_->post(event)) wake();
}
void RunBridge::onProgress(const Progress& event) {
    if (mailbox_->postNewest(event)) wake();
}
void RunBridge::onBatch(const BatchLearned& event) {
    if (mailbox_->postNewest(event)) wake();
}
void RunBridge::onUpdate(const UpdateDone& event) {
    bool first = false;
    {
        const std::lock_guard lock(mailbox_->mutex);
        auto* list = mailbox_->news.empty() ? nullptr : std::get_if<QVector<UpdateDone>>(&mailbox_->news.back());
        if (list && list->front().run == event.run)
            list->append(event);
        else
            mailbox_->news.emplace_back(QVector<UpdateDone>{event});
        first = !std::exchange(mailbox_->woken, true);
    }
    if (first) wake();
}
void RunBridge::onEvaluated(const Evaluated& event) {
    if (mailbox_->post(event)) wake();
}
void RunBridge::onSessionEnded(const SessionEnded& event) {
    if (mailbox_->post(event)) wake();
}
void RunBridge::onEnded(const RunEnded& event) {
    if (mailbox_->post(event)) wake();
}

void RunBridge::drain() {
    std::vector<News> news;
    {
        const std::lock_guard lock(mailbox_->mutex);
        news.swap(mailbox_->news);
        mailbox_->woken = false;
    }
    mailbox_->last_drain.start();
    for (const News& item : news) {
        // Asked anew each time: a listener may have started another run.
        if (runOf(item) != mailbox_->current) continue;
        std::visit(
            [this](const auto& event) {
                using Event = std::decay_t<decltype(event)>;
                if constexpr (std::is_same_v<Event, RunStarted>)
                    Q_EMIT started(event);
                else if constexpr (std::is_same_v<Event, StateChanged>)
                    Q_EMIT stateChanged(event);
                else if constexpr (std::is_same_v<Event, Progress>)
                    Q_EMIT progressed(event);
                else if constexpr (std::is_same_v<Event, BatchLearned>)
                    Q_EMIT batchLearned(event);
                else if constexpr (std::is_same_v<Event, QVector<UpdateDone>>)
                    Q_EMIT updatesDone(event);
                else if constexpr (std::is_same_v<Event, Evaluated>)
                    Q_EMIT evaluated(event);
                else if constexpr (std::is_same_v<Event, SessionEnded>)
                    Q_EMIT sessionEnded(event);
                else
                    Q_EMIT ended(event);
            },
            item);
    }
}

}  // namespace palimpsest
