// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_decor.h"

#include <qcustomplot.h>

#include <cmath>

#include "ui/plots/curve_graph.h"
#include "ui/plots/label_layout.h"
#include "ui/plots/plot_style.h"
#include "ui/style/colours.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kNameGap = 12;       // what names need beside their width: to the end of the curve, and to be clear
constexpr int kUnitOverhang = 14;  // pixels that the unit goes beyond the axis
constexpr double kHollow = 3.5, kStrongDot = 4.5, kDot = 3.5, kRim = 1.5;  // radii of points, width of their rims
constexpr double kBesideEnd = 9;                // pixels from an end to its name (label_layout.cpp)
constexpr double kBesideMark = 3;               // likewise from the rim of a marker
constexpr double kLeastName = 90;               // pixels; where less is left a name stands elsewhere, and whole
constexpr qsizetype kMostHidden = 20;           // names that are told
constexpr double kNameOffset = kBesideEnd + 3;  // from the end of a curve to its name, and beside it

/// The name as it fits. The number at its end matters most and is kept; of a mean also how many seeds it has, unless
/// nothing of the name would be left.
QString fitted(const CurveEnd& end, const QFontMetricsF& metrics, double room) {
    if (metrics.horizontalAdvance(end.text) <= room) return end.text;
    const QString& text = end.short_text.isEmpty() ? end.text : end.short_text;
    if (metrics.horizontalAdvance(text) <= room) return text;
    static const QString kValue = QStringLiteral(" · ");
    const qsizetype value = text.lastIndexOf(kValue);
    if (value < 0) return metrics.elidedText(text, Qt::ElideMiddle, room);
    const qsizetype seeds = text.lastIndexOf(QStringLiteral(", N = "), value);
    const QString name = text.left(seeds < 0 ? value : seeds);
    for (const qsizetype from : {seeds, value}) {
        const double left = from < 0 ? 0 : room - metrics.horizontalAdvance(text.mid(from));
        if (left >= metrics.horizontalAdvance(QStringLiteral("M…")))
            return metrics.elidedText(name, Qt::ElideMiddle, left) + text.mid(from);
    }
    return text.mid(value + kValue.size());
}

QFont nameFont(const QFont& base, bool strong) {
    return strong ? textFont(base, text_size::kText, QFont::DemiBold) : textFont(base, text_size::kText - 1);
}

constexpr double kLeastApart = 6;  // pixels from one session's line to the next
constexpr int kRows = 2;           // of names; what fits into none gives way
constexpr double kChangePad = 3;   // pixels around a name
constexpr double kChangeGap = 4;   // between two names
constexpr double kBeside = 2;      // from a line to its name
constexpr double kRadius = 3;      // of a run's marker

}  // namespace

QString ChangeMark::caption() const {
    return run.isEmpty() ? text : tr("%1 · %2").arg(run, text);
}

struct PlotDecor::Content {
    QColor ground, line, quiet, text;
    double weight = 1;
    QFont base;
    QString unit;
    QString key;
    QColor key_colour;
    QRectF key_rect;  ///< as last drawn
    int name_room = 0;
    std::vector<SessionBorder> borders;
    std::vector<double> border_lines;  ///< as last drawn
    std::vector<CurveEnd> ends;
    std::vector<ChangeMark> changes;
    QHash<QString, int> choices;
    std::vector<QRectF> rects;
    std::vector<QString> shown;
    QStringList hidden;
    std::vector<QRectF> change_rects;  ///< of their names, as last drawn; empty where one gave way
};

/// Live changes on a figure: a thin dashed line each, and its name at the top where it overlaps no name before it.
/// If several runs are shown, the run's marker stands at the foot of the line and beside the name, which names the run
/// as far as there is room. Lies over the curves, and is owned by its plot.
class PlotDecor::ChangeLayer : public QCPLayerable {
public:
    ChangeLayer(QCustomPlot& plot, Content& content)
        : QCPLayerable(&plot, QStringLiteral("overlay")), content_(content) {}

protected:
    QRect clipRect() const override { return mParentPlot->axisRect()->rect(); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        applyAntialiasingHint(painter, false, QCP::aeOther);
    }
    void draw(QCPPainter* painter) override;

private:
    /// Free place of a name of that size; empty: there is none.
    QRectF placeFor(double x, const QSizeF& size, const QRectF& area) const;

    Content& content_;
};

QRectF PlotDecor::ChangeLayer::placeFor(double x, const QSizeF& size, const QRectF& area) const {
    // On the other side where the figure ends.
    const double left = x + kBeside + size.width() <= area.right() ? x + kBeside : x - kBeside - size.width();
    if (left < area.left()) return {};
    for (int row = 0; row < kRows; ++row) {
        const QRectF rect(QPointF(left, area.top() + 2 + row * (size.height() + 1)), size);
        const bool taken = std::ranges::any_of(content_.change_rects, [&](const QRectF& other) {
            return !other.isEmpty() && other.adjusted(-kChangeGap, 0, kChangeGap, 0).intersects(rect);
        });
        if (!taken) return rect;
    }
    return {};
}

void PlotDecor::ChangeLayer::draw(QCPPainter* painter) {
    std::vector<QRectF>& rects = content_.change_rects;
    rects.assign(content_.changes.size(), QRectF());
    const QRectF area(mParentPlot->axisRect()->rect());
    const QFont font = textFont(content_.base, text_size::kCaption);
    const QFontMetricsF metrics(font);
    painter->setFont(font);
    for (std::size_t i = 0; i < content_.changes.size(); ++i) {
        const ChangeMark& mark = content_.changes[i];
        const double x = mParentPlot->xAxis->coordToPixel(mark.x);
        if (x < area.left() || x > area.right()) continue;
        QPen pen(mark.colour, content_.weight);
        pen.setDashPattern(mark.dash);
        painter->setPen(pen);
        painter->drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        const bool named = !mark.run.isEmpty();
        const double radius = kRadius * content_.weight, sign = named ? 2 * radius + kChangePad : 0;
        if (named)
            drawMarker(*painter, mark.shape, QPointF(x, area.bottom() - 2 * radius), radius,
                       QPen(content_.ground, content_.weight), mark.colour);
        // The marker says whose it is where there is no room for more.
        QString name;
        for (const QString& each : {mark.caption(), mark.text}) {
            name = each;
            const QSizeF size(metrics.horizontalAdvance(name) + 2 * kChangePad + sign, metrics.height());
            rects[i] = placeFor(x, size, area);
            if (!rects[i].isEmpty()) break;
        }
        if (rects[i].isEmpty()) continue;
        QColor ground = content_.ground;
        ground.setAlphaF(0.85F);
        painter->setPen(Qt::NoPen);
        painter->setBrush(ground);
        painter->drawRoundedRect(rects[i], 3, 3);
        if (named)
            drawMarker(*painter, mark.shape, QPointF(rects[i].left() + kChangePad + radius, rects[i].center().y()),
                       radius, Qt::NoPen, mark.colour);
        painter->setPen(mark.colour);
        painter->drawText(rects[i].adjusted(sign, 0, 0, 0), Qt::AlignCenter, name);
    }
}

class PlotDecor::BorderLayer : public QCPLayerable {
public:
    BorderLayer(QCustomPlot& plot, Content& content) : QCPLayerable(&plot, QStringLiteral("grid")), content_(content) {}

protected:
    QRect clipRect() const override { return mParentPlot->viewport(); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        applyAntialiasingHint(painter, false, QCP::aeOther);
    }

    void draw(QCPPainter* painter) override {
        const QRectF area = mParentPlot->axisRect()->rect();
        const QFont font = textFont(content_.base, text_size::kCaption);
        const QFontMetricsF metrics(font);
        painter->setFont(font);
        std::vector<double> named, others;  // places of lines
        for (std::size_t i = 0; i < content_.borders.size(); ++i) {
            const SessionBorder& border = content_.borders[i];
            const double x = mParentPlot->xAxis->coordToPixel(border.x);
            const double end = mParentPlot->xAxis->coordToPixel(border.end);
            const double from = std::max(x, area.left()), room = std::min(end, area.right()) - from - 8;
            const QString& name = metrics.horizontalAdvance(border.name) <= room ? border.name : border.short_name;
            const bool fits = metrics.horizontalAdvance(name) <= room;
            if (i > 0 && x >= area.left() && x <= area.right()) (fits ? named : others).push_back(x);
            if (!fits) continue;
            painter->setPen(border.current ? content_.text : content_.quiet);
            painter->drawText(QPointF(from + (i > 0 ? 5 : 0), area.top() - metrics.descent() - 2), name);
        }
        content_.border_lines = thinned(named, others, kLeastApart * content_.weight);
        QPen pen(content_.line, content_.weight);
        pen.setDashPattern({3, 4});
        painter->setPen(pen);
        for (const double x : content_.border_lines)
            painter->drawLine(QPointF(x, area.top() - metrics.height()), QPointF(x, area.bottom()));
        content_.key_rect = {};
        if (!content_.unit.isEmpty()) drawUnitRow(*painter, area, font);
    }

private:
    /// All that have a name, and of the others those that keep so far from the lines beside them; both ascend.
    static std::vector<double> thinned(const std::vector<double>& named, const std::vector<double>& others,
                                       double apart) {
        std::vector<double> lines;
        auto next = named.begin();
        for (const double x : others) {
            while (next != named.end() && *next <= x) lines.push_back(*next++);
            if ((lines.empty() || x - lines.back() >= apart) && (next == named.end() || *next - x >= apart))
                lines.push_back(x);
        }
        lines.insert(lines.end(), next, named.end());
        return lines;
    }

    void drawUnitRow(QCPPainter& painter, const QRectF& area, const QFont& font) {
        const QFontMetricsF metrics(font);
        // Drawn from the baseline: a text put into a box is cut at it.
        const double baseline = area.bottom() + kAxisGap + axisRowHeight(font) + std::ceil(metrics.ascent());
        const double unitLeft = area.right() + kUnitOverhang - metrics.horizontalAdvance(content_.unit);
        painter.setPen(content_.quiet);
        painter.drawText(QPointF(unitLeft, baseline), content_.unit);
        const double words = area.left() + 2 * kHollow + 5, end = words + metrics.horizontalAdvance(content_.key);
        if (content_.key.isEmpty() || end + 16 > unitLeft) return;
        content_.key_rect = {area.left(), baseline - metrics.ascent(), end - area.left(), metrics.height()};
        painter.drawText(QPointF(words, baseline), content_.key);
        drawMarker(painter, MarkerShape::Circle, QPointF(area.left() + kHollow, baseline - metrics.xHeight() / 2),
                   kHollow, QPen(content_.key_colour, 1.5 * content_.weight), content_.ground);
    }

    Content& content_;
};

class PlotDecor::LabelLayer : public QCPLayerable {
public:
    LabelLayer(QCustomPlot& plot, Content& content)
        : QCPLayerable(&plot, QStringLiteral("overlay")), content_(content) {}

protected:
    QRect clipRect() const override { return mParentPlot->viewport(); }
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override {
        applyAntialiasingHint(painter, true, QCP::aeOther);
    }

    QFont fontOf(const CurveEnd& end) const { return nameFont(content_.base, end.strong); }
    QPointF pixelOf(const QPointF& point) const {
        return {mParentPlot->xAxis->coordToPixel(point.x()), mParentPlot->yAxis->coordToPixel(point.y())};
    }
    /// A hollow point so near that dot or name would hide it.
    bool hasMark(const CurveEnd& end) const {
        return end.mark && std::abs(pixelOf(*end.mark).x() - pixelOf({end.x, end.y}).x()) < kSameEnd;
    }
    /// From where the name of an end keeps its distance: right of all markers there.
    double nameFrom(const CurveEnd& end) const {
        const double x = pixelOf({end.x, end.y}).x(), rim = kRim / 2;
        double right =
            x + std::max(end.reach, end.dot ? ((end.strong ? kStrongDot : kDot) + rim) * content_.weight : 0);
        if (hasMark(end)) right = std::max(right, pixelOf(*end.mark).x() + (kHollow + rim) * content_.weight);
        return std::max(x, right + kBesideMark - kBesideEnd);
    }

    void drawEnd(QCPPainter& painter, const CurveEnd& end) const {
        if (end.dot)
            drawMarker(painter, end.shape, pixelOf({end.x, end.y}), (end.strong ? kStrongDot : kDot) * content_.weight,
                       QPen(content_.ground, kRim * content_.weight), end.colour);
        if (hasMark(end))
            drawMarker(painter, MarkerShape::Circle, pixelOf(*end.mark), kHollow * content_.weight,
                       QPen(end.colour, kRim * content_.weight), content_.ground);
    }

    void draw(QCPPainter* painter) override {
        const QRectF axes(mParentPlot->axisRect()->rect());
        const QRectF area = axes.adjusted(2, 0, 10 + content_.name_room, 0);
        const double left = axes.left() - 1, right = axes.right() + 1;
        std::vector<LabelWish> wishes;
        std::vector<std::size_t> shown;
        std::vector<QString> texts;
        // Names of curves that end together stand in a column, right of all these ends.
        const auto columnOf = [&](double x) {
            double last = x;
            for (const CurveEnd& end : content_.ends)
                if (const double other = nameFrom(end);
                    pixelOf({end.x, end.y}).x() <= right && std::abs(other - x) < kSameEnd)
                    last = std::max(last, other);
            return last;
        };
        for (std::size_t i = 0; i < content_.ends.size(); ++i) {
            const CurveEnd& end = content_.ends[i];
            const QPointF at = pixelOf({end.x, end.y}), anchor(nameFrom(end), at.y());
            if (at.x() < left || at.x() > right) continue;  // zoomed out of sight
            const QFontMetricsF metrics(fontOf(end));
            const double room = area.right() - columnOf(anchor.x()) - kNameOffset;
            texts.push_back(room < scaled(kLeastName) ? end.text : fitted(end, metrics, room));
            wishes.push_back({anchor, QSizeF(metrics.horizontalAdvance(texts.back()) + 2, metrics.height()),
                              content_.choices.value(end.id, -1)});
            shown.push_back(i);
        }
        // Names of live changes keep their place.
        const std::vector<LabelPlace> places =
            placeLabels(wishes, area, curvePoints(*mParentPlot), content_.change_rects,
                        {loneMarkers(*mParentPlot), (kHollow + kRim / 2) * content_.weight});
        content_.rects.assign(content_.ends.size(), QRectF());
        content_.shown.assign(content_.ends.size(), QString());
        content_.hidden.clear();
        // The most important lie over the others, and no name under any.
        for (auto it = shown.rbegin(); it != shown.rend(); ++it) drawEnd(*painter, content_.ends[*it]);
        for (std::size_t k = 0; k < shown.size(); ++k) {
            const CurveEnd& end = content_.ends[shown[k]];
            content_.choices[end.id] = places[k].choice;
            content_.rects[shown[k]] = places[k].rect;
            if (places[k].rect.isEmpty() || texts[k] != end.text) content_.hidden.append(end.text);
            if (places[k].rect.isEmpty()) continue;
            if (places[k].covers) {
                QColor ground = content_.ground;
                ground.setAlphaF(0.78F);
                painter->setPen(Qt::NoPen);
                painter->setBrush(ground);
                painter->drawRoundedRect(places[k].rect, 3, 3);
            }
            painter->setFont(fontOf(end));
            painter->setPen(legible(end.colour, content_.ground, kWordContrast));
            painter->drawText(places[k].rect, Qt::AlignLeft | Qt::AlignVCenter, texts[k]);
            content_.shown[shown[k]] = texts[k];
        }
    }

private:
    Content& content_;
};

// The plot owns its layerables and takes them down with it; the content outlives the plot, being a member of its owner.
PlotDecor::PlotDecor(QCustomPlot& plot) : content_(std::make_unique<Content>()) {
    new BorderLayer(plot, *content_);
    new ChangeLayer(plot, *content_);  // below the names of the curves
    new LabelLayer(plot, *content_);
}

PlotDecor::~PlotDecor() = default;

void PlotDecor::setColours(const QColor& ground, const QColor& line, const QColor& quiet, const QColor& text,
                           double weight) {
    content_->ground = ground;
    content_->line = line;
    content_->quiet = quiet;
    content_->text = text;
    content_->weight = weight;
}

void PlotDecor::setFont(const QFont& base) {
    content_->base = base;
}

void PlotDecor::setUnit(const QString& unit) {
    content_->unit = unit;
}

void PlotDecor::setNameRoom(int pixels) {
    content_->name_room = pixels;
}

int PlotDecor::roomFor(const QString& name, const QFont& base, bool strong) {
    return static_cast<int>(std::ceil(QFontMetricsF(nameFont(base, strong)).horizontalAdvance(name))) + kNameGap;
}

void PlotDecor::setHollowKey(const QString& text, const QColor& colour) {
    content_->key = text;
    content_->key_colour = colour;
}

const QString& PlotDecor::hollowKey() const {
    return content_->key;
}

QRectF PlotDecor::hollowKeyRect() const {
    return content_->key_rect;
}

void PlotDecor::setBorders(std::vector<SessionBorder> borders) {
    content_->borders = std::move(borders);
}

const std::vector<double>& PlotDecor::borderLines() const {
    return content_->border_lines;
}

void PlotDecor::setEnds(std::vector<CurveEnd> ends) {
    std::stable_sort(ends.begin(), ends.end(), [](const CurveEnd& a, const CurveEnd& b) {
        return a.strong != b.strong ? a.strong : a.y > b.y;  // names then stand in the order of their curves
    });
    content_->ends = std::move(ends);
}

void PlotDecor::setChanges(std::vector<ChangeMark> changes) {
    content_->changes = std::move(changes);
}

const std::vector<ChangeMark>& PlotDecor::changes() const {
    return content_->changes;
}

const std::vector<QRectF>& PlotDecor::changeRects() const {
    return content_->change_rects;
}

const std::vector<QString>& PlotDecor::labelTexts() const {
    return content_->shown;
}

QStringList PlotDecor::hiddenNames() const {
    return content_->hidden.mid(0, kMostHidden);
}

std::vector<QRectF> PlotDecor::labelRects() const {
    return content_->rects;
}

}  // namespace palimpsest
