// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPolygonF>
#include <QString>
#include <QStringList>
#include <QVector>
#include <QWidget>
#include <optional>
#include <vector>

#include "ui/style/curve_style.h"

namespace palimpsest {

/// Values of the figure at one place along its x axis; pixels of the plot.
struct Readout {
    struct Row {
        QPointF at;
        QString name;
        QString value;
        QColor colour;
        MarkerShape shape = MarkerShape::Circle;
        bool kept = false;   ///< is listed however many others there are, as long as the plot has the height
        bool marked = true;  ///< has a mark at its place; not: no line of the figure goes through it
    };
    double x = 0;
    QString heading;  ///< "7,000 images · session 3"
    QVector<Row> rows;
    int more = 0;  ///< that would be rows, too, but are too many to list
};

/// Lies over a plot and draws what changes with the mouse, so that a moving cursor never redraws the curves; and, while
/// there is nothing to show, a faint drawing of what will appear. It keeps to the plot's size, keeps the plot's tip
/// away while there is a readout, and frames the plot if the user has tabbed to it.
class PlotOverlay : public QWidget {
    Q_OBJECT
public:
    explicit PlotOverlay(QWidget* plot);

    /// The part of the plot between its axes.
    void setArea(const QRect& area);
    void setReadout(std::optional<Readout> readout);
    /// Points along what is drawn, in pixels, which the readout's box covers as few of as it can.
    void setCurves(const std::vector<QPointF>& points);
    /// Without its box a readout is its line and its marks alone.
    void setBoxShown(bool shown);
    bool boxShown() const { return box_shown_; }
    const std::optional<Readout>& readout() const { return readout_; }
    /// Place of its box, never larger than the plot; empty without a readout.
    QRectF readoutRect() const { return readout_ ? boxOf(*readout_).rect : QRectF(); }
    /// Its lines as written below the heading: a few rows, those that are kept among them, then "and 5 more".
    QStringList readoutLines() const;
    /// Lines in a unit square, y upwards.
    void setInvitation(const QString& text, const QVector<QPolygonF>& lines);
    /// With the keys that its commands have now.
    QString invitation() const;
    void setEmpty(bool empty);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// A frame shows that the keyboard acts here.
    void setFramed(bool framed);
    void paintInvitation(QPainter& painter) const;
    void paintReadout(QPainter& painter) const;
    struct Box {
        QRectF rect;
        QVector<Readout::Row> rows;  ///< that are listed
        double names = 0;            ///< width of their longest name, as it is written
        QString more;                ///< the line that says how many are not; empty: all are listed
    };
    Box boxOf(const Readout& out) const;
    /// Where a box of this size covers least: at the line, at its top or foot, or in a corner.
    QPointF placeFor(const Readout& out, const QSizeF& size) const;

    QRect area_;
    std::optional<Readout> readout_;
    QString invitation_;
    QVector<QPolygonF> drawing_;
    std::vector<QPointF> curves_;
    mutable int place_ = 0;  ///< of the box, which does not leave it for a little
    bool box_shown_ = true;
    bool empty_ = true;
    bool framed_ = false;
};

}  // namespace palimpsest
