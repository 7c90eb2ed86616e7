// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <cstdint>

#include "ui/widgets/panel.h"

class QAction;
class QFrame;
class QLabel;
class QProgressBar;
class QSpinBox;
class QToolButton;
class QTreeView;

namespace palimpsest {

class QueueModel;
class RunQueue;

/// What waits, works and has ended: reordered by dragging or with the keyboard, held, taken back, tried again.
class QueuePanel : public Panel {
    Q_OBJECT
public:
    explicit QueuePanel(RunQueue* queue, QWidget* parent = nullptr);

    QTreeView* list() const { return list_; }
    /// Jobs whose rows are selected, from the top.
    QList<std::int64_t> selected() const;

Q_SIGNALS:
    /// The user wants to see a run's or a sweep's folder.
    void runAsked(const QString& folder);
    void sweepAsked(const QString& folder);
    void newSweepAsked();
    void openSweepAsked();
    /// A grid file is to be queued.
    void openGridAsked();

protected:
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* makeAction(const QString& name, const QString& text, const QString& icon, const QString& tip,
                        const QKeySequence& keys, void (QueuePanel::*act)());
    void refresh();
    void showPause();
    void refreshActions();
    /// Width in which every seed of the list with so many digits at most is whole, also of rows out of sight.
    int seedWidth(qsizetype digits) const;
    /// All columns are seen, usual seeds whole: names give way to states, which have all that is left, and what does
    /// not fit is in the tip of the row.
    void placeColumns();
    /// Selects the first of the jobs that were just added, and brings it into sight.
    void showAdded(int jobs);
    void reveal();
    void keepSelection();
    void holdOrRelease();
    void endLearners();
    void takeBack();
    void retry();
    void moveUp();
    void moveDown();
    void showSelected();
    void moveBy(int rows);

    RunQueue* const queue_;
    QueueModel* model_;
    QFrame* asks_;
    QLabel* question_;
    QLabel* empty_;
    QLabel* status_;
    QProgressBar* bar_;
    QTreeView* list_;
    QToolButton *pause_, *more_;
    QSpinBox* at_once_;
    QAction* clear_;
    QAction *hold_, *end_, *take_back_, *retry_, *up_, *down_, *show_;
    QList<std::int64_t> kept_;  ///< selected before the list changed
    std::int64_t fresh_ = 0;    ///< id of the job that is kept in sight; 0: none
};

}  // namespace palimpsest
