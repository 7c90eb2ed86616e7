// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPointF>
#include <QString>
#include <optional>

#include "ui/state/series.h"

class QCPGraph;
class QCustomPlot;

namespace palimpsest {

class CurveGraph;
struct AnytimePoint;
struct RunAxis;
struct ShownRun;
struct Theme;

/// It branched off another run.
bool isFork(const ShownRun& run);

/// The anytime accuracy of one run in a figure: its line, a mean over it, hollow points at the ends of sessions and for
/// an early look; of a fork also the past that it shares with its parent, and a ring where it begins to differ. The
/// graphs are the figure's.
class AccuracyPlotCurve {
public:
    /// Everything that the style depends on, besides the theme.
    struct Look {
        bool selected = false;
        int hue = 0;                ///< see curve_style.h
        QColor colour;              ///< that the user chose
        bool banded = false;        ///< thin below the mean of its seeds
        bool crowded = false;       ///< one of very many
        bool parent_shown = false;  ///< which has the past that a fork shares
        bool operator==(const Look&) const = default;
    };

    /// `smoothing`: points that the mean reaches over; 0: there is none.
    AccuracyPlotCurve(QCustomPlot& plot, const ShownRun& run, int smoothing);
    /// Removes its graphs from the figure.
    void remove();

    const QString& id() const { return id_; }
    int generation() const { return generation_; }
    /// Its early look is in sight.
    bool looked() const;
    /// Hollow points of ends of sessions are in sight.
    bool hollow() const;
    /// The newest hollow point, in data coordinates; nothing: none is in sight.
    std::optional<QPointF> lastHollow() const;
    /// Height at which the mean over the line ends; nothing: there is none in sight.
    std::optional<double> lastMean() const;
    /// The newest point of the reference, the nearest class mean, in data coordinates; nothing: none is in sight.
    std::optional<QPointF> lastReference() const;
    /// The same of chance: one of the classes seen so far, guessed.
    std::optional<QPointF> lastChance() const;
    /// Height of its highest point, reference and chance included where they are in sight; below 0: it has none.
    double highest() const;
    /// Styles the curve anew if the look is another one.
    void setLook(const Look& look, const ShownRun& run, const Theme& theme);
    void style(const Theme& theme);
    /// Appends the points of the run that the curve does not have yet.
    void appendNews(const ShownRun& run, const RunAxis& axis, const Theme& theme);

private:
    std::optional<QPointF> lastOf(const CurveGraph* graph) const;
    /// The curve begins where the run branched off; before that stands its shared past.
    void addPoint(const ShownRun& run, const AnytimePoint& point, const RunAxis& axis, const Theme& theme);
    /// Once all of a fork's past is there.
    void branchOff(double place);

    QString id_;
    int generation_;
    int dash_;  ///< and marker: ShownRun::look
    int marker_skip_ = 0;
    std::optional<Look> look_;
    CurveGraph* line_;
    QCPGraph* session_ends_;
    QCPGraph* early_ = nullptr;        ///< of a run that was looked at early
    CurveGraph* reference_ = nullptr;  ///< faint, of the selected run, where it is known
    CurveGraph* chance_ = nullptr;     ///< fainter, likewise
    CurveGraph* mean_ = nullptr;       ///< drawn over the line of the selected run
    std::optional<RunningMean> running_;
    CurveGraph* past_ = nullptr;  ///< of a fork: shared with its parent
    QCPGraph* branch_ = nullptr;  ///< likewise: the ring where it begins to differ
    double highest_ = -1, highest_faint_ = -1;
    std::size_t line_points_ = 0;
    std::size_t session_points_ = 0;
    std::size_t early_points_ = 0;
};

}  // namespace palimpsest
