// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QEvent>
#include <QString>
#include <QThread>
#include <cstdint>
#include <ctime>
#include <vector>

namespace palimpsest::testing {

/// An application that measures the work of every event on its thread: processor time of that thread, so that other
/// programs do not change the result. Events of a nested event loop are measured separately.
class EventMeter : public QApplication {
public:
    struct Work {
        double ms = 0;
        QString what;  ///< class and name of the receiver, and the event's type
    };

    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        if (QThread::currentThread() != thread()) return QApplication::notify(receiver, event);
        const int level = thread()->loopLevel();
        if (!open_.empty() && open_.back().level == level) return QApplication::notify(receiver, event);
        // The receiver may be deleted by the event.
        const char* type = receiver->metaObject()->className();
        const QString name = receiver->objectName();
        const int kind = event->type();
        open_.push_back({level, 0});
        const double begin = threadMs();
        const bool handled = QApplication::notify(receiver, event);
        const double whole = threadMs() - begin, own = whole - open_.back().nested;
        open_.pop_back();
        if (!open_.empty()) open_.back().nested += whole;
        ++events_;
        if (own > longest_.ms) longest_ = {own, QString("%1 %2 (event %3)").arg(type, name).arg(kind)};
        return handled;
    }

    /// Longest event since the last reset.
    const Work& longest() const { return longest_; }
    std::int64_t events() const { return events_; }
    void reset() { longest_ = {}; }

    static double threadMs() {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }

private:
    struct Open {
        int level;
        double nested;
    };
    std::vector<Open> open_;
    Work longest_;
    std::int64_t events_ = 0;
};

}  // namespace palimpsest::testing
