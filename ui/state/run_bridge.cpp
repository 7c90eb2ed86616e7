// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_bridge.h"

#include <QElapsedTimer>
#include <QTimer>
#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace palimpsest {
namespace {

constexpr int kFrameMs = 16;

}  // namespace

struct RunBridge::Mailbox {
    /// An event on its way from one thread to the other.
    struct Posted {
        explicit Posted(std::int64_t number) : run(number) {}
        virtual ~Posted() = default;
        virtual void emitFrom(RunBridge& bridge) const = 0;
        const std::int64_t run;
    };

    template <class Event>
    struct PostedEvent : Posted {
        using Signal = void (RunBridge::*)(const Event&);
        PostedEvent(std::int64_t number, Event content, Signal which)
            : Posted(number), event(std::move(content)), signal(which) {}
        void emitFrom(RunBridge& bridge) const override { Q_EMIT(bridge.*signal)(event); }
        Event event;
        const Signal signal;
    };

    std::mutex mutex;
    std::vector<std::unique_ptr<Posted>> events;  // guarded by mutex
    bool woken = false;                           // guarded by mutex: a drain is on its way
    std::int64_t current = 0;                     // UI thread only
    QElapsedTimer last_drain;                     // UI thread only

    /// Appends an event; true if the window's thread has to be woken.
    template <class Event>
    bool post(const Event& event, typename PostedEvent<Event>::Signal signal) {
        auto posted = std::make_unique<PostedEvent<Event>>(event.run, event, signal);
        const std::lock_guard lock(mutex);
        events.push_back(std::move(posted));
        return !std::exchange(woken, true);
    }

    /// The same, but the event replaces an older one of this kind and run.
    template <class Event>
    bool postNewest(const Event& event, typename PostedEvent<Event>::Signal signal) {
        auto posted = std::make_unique<PostedEvent<Event>>(event.run, event, signal);
        const std::lock_guard lock(mutex);
        // From the back: the older event is nearly always among the last few.
        const auto older = std::find_if(events.rbegin(), events.rend(), [&](const std::unique_ptr<Posted>& other) {
            return other->run == event.run && dynamic_cast<const PostedEvent<Event>*>(other.get());
        });
        if (older != events.rend()) events.erase(std::next(older).base());
        events.push_back(std::move(posted));
        return !std::exchange(woken, true);
    }

    /// Updates that follow one another travel as one list.
    bool postUpdate(const UpdateDone& event) {
        using List = PostedEvent<QVector<UpdateDone>>;
        const std::lock_guard lock(mutex);
        auto* list = events.empty() ? nullptr : dynamic_cast<List*>(events.back().get());
        if (list && list->run == event.run)
            list->event.append(event);
        else
            events.push_back(std::make_unique<List>(event.run, QVector<UpdateDone>{event}, &RunBridge::updatesDone));
        return !std::exchange(woken, true);
    }
};

RunBridge::RunBridge(QObject* parent) : QObject(parent), mailbox_(std::make_unique<Mailbox>()) {}
RunBridge::~RunBridge() = default;

void RunBridge::setCurrentRun(std::int64_t run) {
    mailbox_->current = run;
}

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
    if (mailbox_->post(event, &RunBridge::started)) wake();
}
void RunBridge::onState(const StateChanged& event) {
    if (mailbox_->post(event, &RunBridge::stateChanged)) wake();
}
void RunBridge::onProgress(const Progress& event) {
    if (mailbox_->postNewest(event, &RunBridge::progressed)) wake();
}
void RunBridge::onBatch(const BatchLearned& event) {
    if (mailbox_->postNewest(event, &RunBridge::batchLearned)) wake();
}
void RunBridge::onUpdate(const UpdateDone& event) {
    if (mailbox_->postUpdate(event)) wake();
}
void RunBridge::onPlateau(const PlateauFound& event) {
    if (mailbox_->post(event, &RunBridge::plateauFound)) wake();
}
void RunBridge::onChange(const ChangeMade& event) {
    if (mailbox_->post(event, &RunBridge::changed)) wake();
}
void RunBridge::onImageLeftOut(const ImageLeftOut& event) {
    if (mailbox_->postNewest(event, &RunBridge::imageLeftOut)) wake();
}
void RunBridge::onWarned(const RunWarned& event) {
    if (mailbox_->post(event, &RunBridge::warned)) wake();
}
void RunBridge::onMemory(const MemoryHeld& event) {
    if (mailbox_->postNewest(event, &RunBridge::memoryHeld)) wake();
}
void RunBridge::onEarlyLook(const EarlyLook& event) {
    if (mailbox_->post(event, &RunBridge::lookedEarly)) wake();
}
void RunBridge::onEvaluated(const Evaluated& event) {
    if (mailbox_->post(event, &RunBridge::evaluated)) wake();
}
void RunBridge::onSessionEnded(const SessionEnded& event) {
    if (mailbox_->post(event, &RunBridge::sessionEnded)) wake();
}
void RunBridge::onEnded(const RunEnded& event) {
    if (mailbox_->post(event, &RunBridge::ended)) wake();
}

void RunBridge::drain() {
    std::vector<std::unique_ptr<Mailbox::Posted>> events;
    {
        const std::lock_guard lock(mailbox_->mutex);
        events.swap(mailbox_->events);
        mailbox_->woken = false;
    }
    mailbox_->last_drain.start();
    // The current run is read anew each time: a listener may have started another.
    for (const std::unique_ptr<Mailbox::Posted>& posted : events)
        if (posted->run == mailbox_->current) posted->emitFrom(*this);
}

}  // namespace palimpsest
