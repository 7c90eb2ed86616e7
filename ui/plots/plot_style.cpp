// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_style.h"

#include <qcustomplot.h>

#include <cmath>

#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

/// QCustomPlot draws a custom marker path as if it were made for this size.
constexpr double kScatterUnit = 6.0;
constexpr double kMostTicks = 5.5, kFewestTicks = 2.9;

QString imagesLabel(double tick) {
    const double size = std::abs(tick);
    if (size >= 1e6) return QString::number(tick / 1e6, 'g', 4) + "M";
    if (size >= 1e3) return QString::number(tick / 1e3, 'g', 5) + "k";
    return QString::number(tick, 'g', 4);
}

/// Steps people count in; of those that give few enough ticks, the one that ends exactly on the end of the stream wins.
class ImageTicker : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override {
        const double magnitude = std::pow(10.0, std::floor(std::log10(range.size() / kMostTicks)));
        double fallback = 0;
        for (const double factor : {1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 10.0, 15.0, 20.0, 25.0, 30.0, 50.0}) {
            const double step = factor * magnitude, ticks = range.size() / step;
            if (ticks > kMostTicks) continue;
            if (ticks < kFewestTicks) break;
            if (fallback == 0 && factor != 1.5 && factor != 3.0 && factor != 4.0 && factor != 6.0) fallback = step;
            if (std::abs(std::remainder(range.upper, step)) < 1e-9 * step) return step;
        }
        return fallback > 0 ? fallback : cleanMantissa(range.size() / kFewestTicks);
    }

    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return imagesLabel(tick); }
};

/// 1, 2 and 5 of every power of ten, as far as they are in sight.
class LogImageTicker : public QCPAxisTickerLog {
protected:
    QVector<double> createTickVector(double, const QCPRange& range) override {
        QVector<double> ticks;
        for (double power = std::pow(10.0, std::floor(std::log10(range.lower))); power <= range.upper; power *= 10)
            for (const double factor : {1.0, 2.0, 5.0})
                if (range.contains(factor * power)) ticks.push_back(factor * power);
        return ticks;
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return imagesLabel(tick); }
};

/// A power only where the digits would take the figure's room.
QString lossLabel(double tick) {
    const bool grouped = std::abs(tick) >= 1000 && std::abs(tick) < 1e5;
    return grouped ? countText(std::llround(tick)) : QString::number(tick, 'g', 3);
}

/// Either scale's ticks.
template <class Ticker>
class LossTicker : public Ticker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return lossLabel(tick); }
};

}  // namespace

void prepareAxes(QCustomPlot& plot) {
    plot.setNoAntialiasingOnDrag(false);
    plot.setPlottingHints(QCP::phCacheLabels | QCP::phFastPolylines);
    QCPAxisRect& rect = *plot.axisRect();
    rect.setupFullAxesBox(false);
    plot.xAxis2->setVisible(false);
    plot.yAxis2->setVisible(false);
    plot.yAxis->setRange(0, 100);
    auto ticker = QSharedPointer<QCPAxisTickerFixed>::create();
    ticker->setTickStep(25);
    plot.yAxis->setTicker(ticker);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLength(0);
        axis->setSubTicks(false);
        axis->setTickLabelPadding(kAxisGap - 1);
        axis->setPadding(0);
    }
    plot.yAxis->setBasePen(Qt::NoPen);
    plot.yAxis->setTickPen(Qt::NoPen);
    plot.xAxis->setTickPen(Qt::NoPen);
    rect.setAutoMargins(QCP::msNone);
}

void styleAxes(QCustomPlot& plot, const Theme& theme, const QFont& base, bool unitRow, int nameRoom, int leftRoom) {
    const QFont font = textFont(base, text_size::kCaption);
    const QFontMetrics metrics(font);
    plot.axisRect()->setMargins(QMargins(std::max(leftRoom, metrics.horizontalAdvance(QStringLiteral("100"))) + 10,
                                         metrics.height() + 6, kRightGap + nameRoom,
                                         (unitRow ? 2 : 1) * axisRowHeight(font) + kAxisGap + 1));
    plot.setBackground(theme.panel);
    QColor grid = theme.line;
    // Thick lines of a projector stand out from a grid that is as thin as ever.
    grid.setAlphaF(theme.weight > 1 ? 0.35F : 0.7F);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(theme.quiet);
        axis->setLabelFont(font);
        axis->setLabelColor(theme.quiet);
        axis->grid()->setPen(QPen(grid, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setAntialiased(false);
    }
    plot.xAxis->grid()->setVisible(false);
    plot.xAxis->setBasePen(QPen(theme.line, theme.weight));
}

int axisRowHeight(const QFont& font) {
    const QFontMetricsF metrics(font);
    return static_cast<int>(std::ceil(metrics.ascent()) + std::ceil(metrics.descent()));
}

void useImageTicks(QCustomPlot& plot) {
    if (plot.xAxis->scaleType() == QCPAxis::stLogarithmic) {
        plot.xAxis->setTicker(QSharedPointer<LogImageTicker>::create());
        return;
    }
    plot.xAxis->setTicker(QSharedPointer<ImageTicker>::create());
}

void useLossTicks(QCPAxis& axis) {
    constexpr int kTicks = 4;
    QSharedPointer<QCPAxisTicker> ticker;
    if (axis.scaleType() == QCPAxis::stLogarithmic)
        ticker = QSharedPointer<LossTicker<QCPAxisTickerLog>>::create();
    else
        ticker = QSharedPointer<LossTicker<QCPAxisTicker>>::create();
    ticker->setTickCount(kTicks);
    axis.setTicker(ticker);
}

void styleMarkers(QCPGraph& graph, int look, double radius, const QPen& outline, const QBrush& fill) {
    graph.setScatterStyle(QCPScatterStyle(markerPath(markerOf(look), radius), outline, fill, kScatterUnit));
}

}  // namespace palimpsest
