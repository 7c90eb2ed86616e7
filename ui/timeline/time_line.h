// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <optional>
#include <vector>

#include "ui/state/background.h"
#include "ui/state/curve_options.h"
#include "ui/state/throttle.h"

class QAction;
class QBoxLayout;
class QHBoxLayout;
class QToolButton;

namespace palimpsest {

class RunSet;
class FittingLabel;
class TimeTrack;
struct ShownRun;

/// The line under the figures on which the user chooses the moment that all of them, and Now, show: of the run in full
/// colour, whether it goes on here or was read from its folder. Without a run it says nothing, and keeps its place.
class TimeLine : public QFrame {
    Q_OBJECT
public:
    TimeLine(RunSet* store, CurveCursor* cursor, QWidget* parent = nullptr);

    /// The chosen moment; nothing: the newest is followed.
    CurveCursor::Moment moment() const { return cursor_->pinned(); }
    /// "1,250 of 3,000 images, session 3" or "Now"; empty without a run.
    const QString& text() const { return text_; }
    TimeTrack* track() const { return track_; }
    /// The images of a figure along x, in pixels of this line: the first at `left`, so many at `right`.
    struct Span {
        double left = 0, right = 0, images = 0;
        bool operator==(const Span&) const = default;
    };
    /// Each image stands below that of the figure from now on, unless the run takes less than a quarter of its axis:
    /// then it has the whole width, so that each of its moments can be chosen. Where the figure is so wide that too
    /// little is left beside it, the words stand above the track; under large text they leave.
    void alignTo(const Span& span);
    /// The same distance from both ends where the line has become so many pixels wider.
    void widen(int pixels);
    /// A button for it at the right end, after those added before.
    void addEnd(QAction* action);
    /// Shows or hides these buttons.
    void showEnds(bool shown);
    /// Shows at once what is waiting for the next turn.
    void showNow();

Q_SIGNALS:
    /// Also by another figure; nothing: it was let go.
    void momentChosen(std::optional<qint64> moment);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void hover(CurveCursor::Moment moment);
    void align();
    void updateMoment();
    void updateRun();
    void appendEvaluations(const ShownRun& run);
    void refresh();
    /// Anew, on a thread of its own.
    void listFolder();
    void fit();

    RunSet* store_;
    CurveCursor* cursor_;
    TimeTrack* track_;
    QWidget* side_;  ///< of the track: the words and the buttons
    FittingLabel* label_;
    QString text_;
    QBoxLayout* row_;
    QHBoxLayout* side_row_;
    QList<QToolButton*> ends_;
    std::optional<Span> span_;
    CurveCursor::Moment hovered_;  ///< on the track, while the figures stay at the chosen moment
    CurveCursor::Moment emitted_;
    QString run_;                            ///< that is shown
    bool went_on_ = false;                   ///< that run, when it was looked at last
    std::vector<std::int64_t> checkpoints_;  ///< of that run
    struct {
        QString run;
        int generation = 0;
        std::size_t anytime = 0, ends = 0;  ///< points of the run
        std::vector<std::int64_t> places;   ///< images seen, ascending, each once
    } listed_;
    Throttle throttle_, lister_;
    Background background_;
};

}  // namespace palimpsest
