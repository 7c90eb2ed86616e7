// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>
#include <QPointF>
#include <QString>
#include <QWidget>
#include <chrono>
#include <functional>

#include "app/tour/tour.h"
#include "ui/state/ui_watchdog.h"

namespace palimpsest {

class MainWindow;
class RunController;

/// Tools for every scene of a tour: waiting, runs, keyboard and mouse, and pictures.
class TourStage {
public:
    TourStage(MainWindow& window, const TourPlan& plan);

protected:
    RunController* run() const;
    void waitFor(const std::function<bool()>& done, const char* what) const;
    static void pause(int milliseconds);
    /// Waits until animations and batched replots have finished.
    static void settle();

    static void press(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    static void mouse(QWidget* widget, QEvent::Type type, const QPointF& at, Qt::MouseButtons buttons);

    /// Opens a preset by its name.
    void open(const QString& what);
    /// Runs a preset completely. `midway`: name of the picture taken during it; `change`: changes its settings.
    void learn(const QString& preset, const QString& midway, const std::function<void()>& change = {});

    /// Runs the current experiment completely; `before` and `after` surround the picture taken during it.
    void runThrough(const QString& midway, const std::function<void()>& before = {},
                    const std::function<void()>& after = {});

    /// Saves pictures in every appearance.
    void pictures(const QString& name, QWidget* of);
    /// Saves a picture of `of`, or of the window.
    void picture(const QString& name, bool settled = true, QWidget* of = nullptr);

    MainWindow& window_;

private:
    void noteStall();

    const TourPlan plan_;
    UiWatchdog watchdog_;
    std::chrono::microseconds longest_{};
    double share_ = 0;
    QString failure_;
};

}  // namespace palimpsest
