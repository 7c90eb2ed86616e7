// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "engine/run/run_events.h"
#include "ui/pacer.h"

class QLabel;
class QMenuBar;
class QProgressBar;
class QPushButton;

namespace palimpsest {

class RunController;

/// The product's name, the verbs (the next sensible one filled), where the run is, and the menus.
class TopBar : public QFrame {
    Q_OBJECT
public:
    TopBar(RunController* controller, QMenuBar* menus, QWidget* parent = nullptr);
    /// Stands beside the menus.
    void addNote(QWidget* note);

public Q_SLOTS:
    /// The tips name the keys, which a person may change.
    void refreshKeys();

private:
    void refreshState();
    void onStarted(const RunStarted& event);
    void onProgress(const Progress& event);
    void onEnded(const RunEnded& event);

    /// With the keys of the menus' action of that name, where it has some.
    QString tip(const QString& words, const QString& action) const;

    RunController* controller_;
    QMenuBar* menus_;
    QPushButton* start_;
    QPushButton* step_;
    QPushButton* stop_;
    QPushButton* find_;
    QLabel* name_;
    QLabel* session_;
    QLabel* images_;
    QProgressBar* bar_;
    QLabel* pace_;
    std::int64_t sessions_ = 0;  ///< 0: the run has not begun
    Pacer pacer_;
    Progress progress_;
    QString outcome_;
};

/// "21 s", "3 min 20 s", "2 h 5 min"; what a person wants to read of a duration.
QString durationText(double seconds);
/// "214 images/s · 21 s left"; the second part only when it is known.
QString paceText(const Progress& progress);

}  // namespace palimpsest
