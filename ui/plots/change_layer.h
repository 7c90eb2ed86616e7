// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <vector>

#include "ui/plots/plot_decor.h"

namespace palimpsest {

/// Live changes on a figure: a thin dashed line each, and its name at the top where it overlaps no name before it.
/// Where several runs are shown, the run's marker stands at the foot of the line and beside the name, which says whose
/// it is as far as there is room. Lies over the curves, and is owned by its plot.
class ChangeLayer : public QCPLayerable {
    Q_OBJECT
public:
    explicit ChangeLayer(QCustomPlot& plot) : QCPLayerable(&plot, QStringLiteral("overlay")) {}

    void setMarks(std::vector<ChangeMark> marks) { marks_ = std::move(marks); }
    void setLook(const QColor& ground, double weight) {
        ground_ = ground;
        weight_ = weight;
    }
    void setFont(const QFont& base) { base_ = base; }
    const std::vector<ChangeMark>& marks() const { return marks_; }
    /// Names as last drawn, in the order of the marks; empty where one gave way.
    const std::vector<QRectF>& rects() const { return rects_; }

protected:
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        applyAntialiasingHint(painter, false, QCP::aeOther);
    }
    void draw(QCPPainter* painter) override;

private:
    /// Where a name of that width may stand; empty: nowhere.
    QRectF placeFor(double x, const QSizeF& size, const QRectF& area) const;

    std::vector<ChangeMark> marks_;
    std::vector<QRectF> rects_;
    QColor ground_;
    double weight_ = 1;
    QFont base_;
};

}  // namespace palimpsest
