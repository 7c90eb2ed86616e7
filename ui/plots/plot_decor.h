// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QCoreApplication>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <memory>
#include <optional>
#include <vector>

#include "ui/style/curve_style.h"

class QCustomPlot;

namespace palimpsest {

/// The end of a curve and its name.
struct CurveEnd {
    QString id;    ///< of the curve; its label keeps its place from one drawing to the next
    double x = 0;  ///< data coordinates
    double y = 0;
    QString text;
    QString short_text;  ///< in its place where there is no room; empty: the text is shortened
    QColor colour;
    bool strong = false;  ///< drawn larger, and placed before the others
    bool dot = false;     ///< marks the end itself
    MarkerShape shape = MarkerShape::Circle;
    double reach = 0;  ///< pixels that a marker of the curve takes beyond the end; its name keeps clear of it
    std::optional<QPointF> mark;  ///< a hollow point of the curve beside the end: seen over its dot, left of its name
};

/// A named vertical line where a session begins.
struct SessionBorder {
    double x = 0;
    double end = 0;      ///< where the session ends
    QString name;        ///< "session 1"
    QString short_name;  ///< "1", for narrow sessions
    bool current = false;
};

/// A change that was made while a run went on.
struct ChangeMark {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::ChangeMark)
public:
    double x = 0;  ///< data coordinates
    QString text;  ///< "Logit mask: seen"
    QColor colour;
    QString run;  ///< whose it is, where several are shown; else empty
    QVector<qreal> dash{2, 3};
    MarkerShape shape = MarkerShape::Circle;  ///< at its foot and beside its name, where several are shown

    /// "No mask · Learning rate: 0.02", of one run alone what has changed.
    QString caption() const;
};

/// Decoration of a figure besides its axes and lines: session borders, names at the ends of curves, the unit of the
/// x axis, what hollow points are, live changes. Part of the plot, so that exported figures show it too.
class PlotDecor {
public:
    explicit PlotDecor(QCustomPlot& plot);
    ~PlotDecor();

    /// `weight`: of lines and markers, as the theme has it.
    void setColours(const QColor& ground, const QColor& line, const QColor& quiet, const QColor& text, double weight);
    void setFont(const QFont& base);
    void setUnit(const QString& unit);
    /// At the other end of the row of the unit, as far as there is room: a hollow point in this colour and what it is.
    void setHollowKey(const QString& text, const QColor& colour);
    /// Pixels right of the axes in which names may stand.
    void setNameRoom(int pixels);
    /// Pixels that a curve's name needs beside its end.
    static int roomFor(const QString& name, const QFont& base, bool strong);
    void setBorders(std::vector<SessionBorder> borders);
    void setEnds(std::vector<CurveEnd> ends);
    /// Pixels along x of the lines that the last drawing had for them: of those that would fuse there are fewer.
    const std::vector<double>& borderLines() const;
    /// The most important first: the names of others give way.
    void setChanges(std::vector<ChangeMark> changes);

    /// Names of the last drawing, in the order of the ends; empty where a label gave way. Pixels of the plot.
    std::vector<QRectF> labelRects() const;
    /// Names as they were drawn, in the order of the ends: shortened where there was no room; empty where one gave way.
    const std::vector<QString>& labelTexts() const;
    /// The whole names of those in sight that were shortened or gave way, the most important first.
    QStringList hiddenNames() const;
    /// As set, and where their names stood in the last drawing; empty where one gave way.
    const std::vector<ChangeMark>& changes() const;
    const std::vector<QRectF>& changeRects() const;
    /// As set, whether there was room for it or not.
    const QString& hollowKey() const;
    /// Its place in the last drawing; empty where it gave way.
    QRectF hollowKeyRect() const;

private:
    struct Content;
    class BorderLayer;
    class ChangeLayer;
    class LabelLayer;
    std::unique_ptr<Content> content_;
};

}  // namespace palimpsest
