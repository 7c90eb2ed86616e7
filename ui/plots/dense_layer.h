// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <QImage>
#include <QVector>

namespace palimpsest {

/// Draws the crowded ones among a figure's lines (CurveGraph::setCrowded()) all at once, and anew only when one of them
/// or the part of them in sight has changed: a hundred curves of a million points then cost a few milliseconds a frame.
/// What is printed or exported as vectors is drawn line by line instead. Belongs to the figure.
class CrowdLayer : public QCPLayerable {
    Q_OBJECT
public:
    /// Layer of a crowd, and of all but the selected run.
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
    /// Of a line, all that its picture depends on.
    struct Member {
        quint64 edition = 0;
        int points = 0;
        QRgb colour = 0;
        bool operator==(const Member&) const = default;
    };
    /// Of all of them.
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
