// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>
#include <QPointF>
#include <optional>
#include <vector>

#include "engine/record/guess.h"
#include "ui/plots/plot_decor.h"

class QCPGraph;
class QCustomPlot;

namespace palimpsest {

class GuessBook;
class RunSet;
struct ShownRun;
struct Theme;

/// The user's guess in a figure: a dotted line that is drawn with the mouse, or by keyboard, before a run; while the
/// run goes on, what was measured grows over it, and the area between the two is what the guess is off by. Shown is the
/// guess for the next run while it is being drawn, else that of the selected run. Keyboard: Shift+Left and Shift+Right
/// choose a place, Up and Down move the guess there by a point, with Shift by ten.
class GuessLine : public QObject {
    Q_OBJECT
public:
    GuessLine(QCustomPlot* canvas, const RunSet* runs, GuessBook* book, GuessedCurve curve, QObject* parent);
    /// Removes nothing: its graphs are the figure's.
    ~GuessLine() override = default;

    GuessBook* book() const { return book_; }
    bool drawing() const;
    bool visible() const { return !shown_.empty(); }
    /// Shows what is known now. `hidden`: the figure's axis is none of the guess's.
    void update(const Theme& theme, bool hidden = false);
    /// In per cent; below 0: none is shown.
    double highest() const;
    /// Its name at its end; nothing: none is shown.
    std::optional<CurveEnd> end(const Theme& theme) const;
    /// Name as wide as it will ever be.
    static QString widestName();
    /// What is drawn and how far it is off, for screen readers; empty: no guess is shown.
    QString describe() const;

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    /// The figure draws it anew.
    void changed();

private:
    std::vector<GuessPoint> measuredOf(const ShownRun& run) const;
    void makeGraphs();
    QPointF pointAt(const QPointF& pixel) const;
    /// Draws on from where the mouse was.
    void drawTo(const QPointF& point);
    bool pressKey(int key, Qt::KeyboardModifiers modifiers);
    void showHandles(const Theme& theme);
    void compare(const std::vector<GuessPoint>& points);

    QCustomPlot* canvas_;
    const RunSet* runs_;
    GuessBook* book_;
    GuessedCurve curve_;
    QCPGraph* line_ = nullptr;
    QCPGraph* handle_ = nullptr;    ///< the place that the keyboard moves
    QCPGraph* measured_ = nullptr;  ///< unseen, the other side of the area
    QCPGraph* between_ = nullptr;   ///< the guess where something was measured
    std::vector<GuessPoint> shown_;
    QString compared_;             ///< run whose points the score and the area are of
    std::size_t measured_to_ = 0;  ///< how many of them
    std::optional<GuessScore> score_;
    std::optional<QPointF> dragged_;  ///< the last point of a drag
    int place_ = 0;                   ///< of the keyboard
    bool hidden_ = false;
    bool crossed_ = false;  ///< the mouse is a cross
};

}  // namespace palimpsest
