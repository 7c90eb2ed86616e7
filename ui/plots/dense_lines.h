// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QImage>
#include <QVector>
#include <vector>

class QPainter;

namespace palimpsest {

/// Draws lines of very many points: each pixel column of a line becomes one upright stroke, so that a line costs the
/// pixels that it covers, however often it goes up and down there. Coordinates are pixels, y downwards.
class CrowdRaster {
public:
    /// `thickness`: of a line that runs level.
    CrowdRaster(int width, int height, double thickness);

    /// The line goes on to here, or to all that lies between `top` and `bottom` here. Places do not fall from one to
    /// the next; those beyond the picture, however far, are where the line comes from or goes to. What is not a number
    /// breaks it off.
    void lineTo(double x, double top, double bottom);
    /// The line breaks off; it goes on wherever the next point is.
    void interrupt() { begun_ = false; }
    /// Fills what lies between the line and a level, before it is finished.
    void fillTo(double level, const QColor& colour);
    /// Draws the line over those before it, in this colour; the next one begins. Where it goes up and down a lot its
    /// ink spreads, to no less than this part of it, so that others shine through.
    void finish(const QColor& colour, double thinnest = 1);
    QImage image() const;

private:
    struct Column {
        float top = 0, bottom = -1;  ///< empty: the bottom is above
    };
    void extend(int column, double top, double bottom);
    void connect(double x, double from, double to);
    void stroke(int column, double top, double bottom, QRgb colour);

    int width_, height_;
    double thickness_;
    std::vector<QRgb> pixels_;  ///< column by column, premultiplied
    std::vector<Column> columns_;
    int first_, last_;  ///< columns that the line touches
    bool begun_ = false;
    double x_ = 0, top_ = 0, bottom_ = 0;  ///< where it is
};

/// Pixels of a picture for one of what is drawn into it.
double paintedPixels(const QPainter& painter);

/// Draws the crowded ones among a figure's lines (CurveGraph::setCrowded()) all at once, and anew only when one of them
/// or the part of them in sight has changed: a hundred curves of a million points then cost a few milliseconds a frame.
/// In vector formats they are drawn line by line instead. Belongs to the figure.
class CrowdLayer : public QCPLayerable {
    Q_OBJECT
public:
    /// Layer of a crowd, and of all runs but the selected one.
    static constexpr const char* kName = "background runs";
    /// Curves in a figure; where there are more, each is a hair line without a name.
    static constexpr std::size_t kCrowd = 12;

    /// Makes the layer, below the figure's main one.
    explicit CrowdLayer(QCustomPlot* plot) : QCPLayerable(plot, made(*plot)) {}

protected:
    QRect clipRect() const override;
    void applyDefaultAntialiasingHint(QCPPainter* /*painter*/) const override {}
    void draw(QCPPainter* painter) override;

private:
    static QString made(QCustomPlot& plot);
    /// A line, as far as its picture depends on it.
    struct Member {
        quint64 edition = 0;
        int points = 0;
        QRgb colour = 0;
        bool operator==(const Member&) const = default;
    };
    /// The figure, as far as the picture depends on it.
    struct Sight {
        QVector<Member> members;
        QCPRange x, y;
        int x_scale = 0, y_scale = 0;
        QSize pixels;
        double resolution = 1;  ///< pixels of the picture for one of the figure: a line's thickness
        bool operator==(const Sight&) const = default;
    };
    Sight sight(double resolution) const;
    QImage paint() const;

    Sight sight_;
    QImage image_;
};

}  // namespace palimpsest
