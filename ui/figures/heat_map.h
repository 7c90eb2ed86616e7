// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include "ui/plots/heat_content.h"

namespace palimpsest {

/// Draws such content; each moment reaches half way to its neighbours. Costs the pixels it covers, however many moments
/// and rows there are.
class HeatMap : public QCPAbstractPlottable {
    Q_OBJECT
public:
    HeatMap(QCPAxis* keyAxis, QCPAxis* valueAxis) : QCPAbstractPlottable(keyAxis, valueAxis) {}

    HeatContent& content() { return content_; }
    const HeatContent& content() const { return content_; }

    double selectTest(const QPointF&, bool, QVariant* = nullptr) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain = QCP::sdBoth, const QCPRange& = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    HeatContent content_;
};

}  // namespace palimpsest
