// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_picture.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/state/stream_planner.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kNumbers = 16, kLengths = 14;  // heights of the two lines
constexpr double kLeastTitles = 40;             // room that a title needs
constexpr double kAir = 4;                      // between two numbers

QString stripText(const char* text) {
    return QCoreApplication::translate("StreamSessionStrip", text);
}

constexpr double kNames = 62;  // width of the class names
constexpr double kRow = 15;
constexpr double kMaxHeight = 190;
/// Rows that are too low for a name leave the names out.
constexpr double kNameRow = 11;

constexpr std::size_t kShades = 256;
using Shades = std::array<QRgb, kShades>;

/// A colour on its ground, from the weakest share to the whole.
Shades shadesOf(const QColor& colour, const QColor& ground) {
    Shades shades;
    for (std::size_t i = 0; i < kShades; ++i) {
        const float weight = shadeStrength(static_cast<double>(i) / (kShades - 1));
        const auto mix = [weight](int over, int under) {
            return under + static_cast<int>(std::lround(weight * static_cast<float>(over - under)));
        };
        shades[i] = qRgb(mix(colour.red(), ground.red()), mix(colour.green(), ground.green()),
                         mix(colour.blue(), ground.blue()));
    }
    return shades;
}

constexpr double kSmallCell = 3;
constexpr qint64 kMostCells = 2000;

}  // namespace

double StreamSessionStrip::height() {
    return scaled(kNumbers) + scaled(kLengths);
}

void StreamSessionStrip::paint(QPainter& painter, const QFont& font, const Theme& theme) const {
    if (lengths.empty()) return;
    paintNumbers(painter, font, theme);
    paintLengths(painter, font, theme);
    if (titles < scaled(kLeastTitles)) return;
    painter.setFont(textFont(font, text_size::kCaption));
    painter.setPen(theme.quiet);
    const QRectF title(place.left() - titles, place.top(), titles - 8, scaled(kNumbers));
    painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter, stripText("session"));
    painter.drawText(QRectF(title.left(), title.bottom(), title.width(), scaled(kLengths)),
                     Qt::AlignRight | Qt::AlignVCenter, stripText("images"));
}

void StreamSessionStrip::paintNumbers(QPainter& painter, const QFont& font, const Theme& theme) const {
    const QFontMetricsF metrics(textFont(font, text_size::kCaption));
    const int stride = std::max(1, static_cast<int>(std::ceil(metrics.horizontalAdvance("00000") / column())));
    const auto sessions = static_cast<int>(lengths.size());
    for (int session = 0; session < sessions; ++session) {
        const bool now = session == current;
        if (!now && session % stride != 0) continue;
        const QString number = QString::number(session + 1);
        const QFont type = textFont(font, text_size::kCaption, now ? QFont::DemiBold : QFont::Normal);
        painter.setFont(type);
        painter.setPen(now ? theme.text : theme.quiet);
        // The last one of many is wider than its column, and would be cut at the picture's end.
        const double centre = std::min(place.left() + (session + 0.5) * column() - gap / 2,
                                       place.right() - QFontMetricsF(type).horizontalAdvance(number) / 2);
        painter.drawText(QRectF(centre - scaled(20), place.top(), scaled(40), scaled(kNumbers)), Qt::AlignCenter,
                         number);
    }
}

void StreamSessionStrip::paintLengths(QPainter& painter, const QFont& font, const Theme& theme) const {
    const QRectF line(place.left(), place.top() + scaled(kNumbers), place.width(), scaled(kLengths));
    const QFont caption = textFont(font, text_size::kCaption);
    const QFontMetricsF metrics(caption);
    // All as numbers or all as bars; where not even a digit would fit, nothing has to be measured.
    double widest = metrics.horizontalAdvance('0');
    for (const std::int64_t length : lengths) {
        if (widest + kAir > column()) return paintBars(painter, theme, line);
        widest = std::max(widest, metrics.horizontalAdvance(countText(length)));
    }
    if (widest + kAir > column()) return paintBars(painter, theme, line);
    painter.setFont(caption);
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        painter.setPen(static_cast<int>(j) == current ? theme.text : theme.quiet);
        painter.drawText(
            QRectF(line.left() + static_cast<double>(j) * column(), line.top(), column() - gap, line.height()),
            Qt::AlignCenter, countText(lengths[j]));
    }
}

void StreamSessionStrip::paintBars(QPainter& painter, const Theme& theme, const QRectF& line) const {
    const auto most = static_cast<double>(std::max<std::int64_t>(1, *std::max_element(lengths.begin(), lengths.end())));
    const double room = line.height() - 3;
    QPainterPath bars;
    for (std::size_t j = 0; j < lengths.size(); ++j) {
        // A session with few images still shows that it has some.
        const double share = static_cast<double>(lengths[j]) / most;
        const double height = lengths[j] > 0 ? std::max(1.0, share * room) : 0;
        bars.addRect(QRectF(line.left() + static_cast<double>(j) * column(), line.bottom() - 1 - height,
                            std::max(1.0, column() - gap), height));
    }
    bars.setFillRule(Qt::WindingFill);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.quiet);
    painter.drawPath(bars);
}

double StreamCells::nameWidth() {
    return scaled(kNames);
}

int StreamCells::heightFor(int classes) {
    return static_cast<int>(std::min(classes * scaled(kRow), scaled(kMaxHeight) - StreamSessionStrip::height()) +
                            StreamSessionStrip::height() + 2 * kMargin);
}

double StreamCells::rowHeight() const {
    return (bottom() - 2 * kMargin) / std::max(classes, 1);
}

bool StreamCells::named() const {
    return rowHeight() >= scaled(kNameRow);
}

double StreamCells::bottom() const {
    return size.height() - StreamSessionStrip::height();
}

QRectF StreamCells::cell(int label, int session) const {
    if (empty()) return {};
    const double row = rowHeight();
    const double left = row >= scaled(kNameRow) ? nameWidth() : kMargin;
    const double column = (size.width() - left - kMargin) / sessions;
    const double gap_x = column > 8 ? 2 : (column > 3 ? 1 : 0);
    const double gap_y = row > 8 ? 2 : (row > 3 ? 1 : 0);
    return {left + session * column, kMargin + label * row, column - gap_x, row - gap_y};
}

QRectF StreamCells::row(int label) const {
    const QRectF first = cell(label, 0);
    return {0, first.top(), size.width(), first.height()};
}

QRectF StreamCells::column(int session) const {
    if (classes == 0 || session < 0 || session >= sessions) return {};
    return cell(0, session).united(cell(classes - 1, session));
}

int StreamCells::labelAt(const QPointF& point) const {
    for (int label = 0; label < classes; ++label)
        if (row(label).contains(point)) return label;
    return -1;
}

int StreamCells::sessionAt(int label, const QPointF& point) const {
    for (int session = 0; session < sessions; ++session)
        if (cell(label, session).contains(point)) return session;
    return -1;
}

int StreamCells::columnAt(double x) const {
    if (empty() || x < cell(0, 0).left() || x >= size.width()) return -1;
    const double column = (size.width() - kMargin - cell(0, 0).left()) / sessions;
    return std::min(static_cast<int>((x - cell(0, 0).left()) / column), sessions - 1);
}

/// Less than proportional, so that the few images of a blurry class outside its session do not vanish.
float shadeStrength(double share) {
    return static_cast<float>(0.2 + 0.8 * std::pow(share, 0.6));
}

QImage shadedPicture(const StreamGrid& grid, const Theme& theme) {
    QImage image(grid.columns, grid.rows, QImage::Format_RGB32);
    image.fill(theme.raised);
    const std::array<Shades, 2> shades{shadesOf(theme.disjoint, theme.raised), shadesOf(theme.blurry, theme.raised)};
    for (int y = 0; y < grid.rows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < grid.columns; ++x)
            if (const StreamGrid::Cell& cell = grid.at(y, x); cell.strength > 0)
                line[x] = shades[cell.blurry][cell.strength - 1U];
    }
    return image;
}

bool paintedOneByOne(const StreamCells& cells) {
    const QRectF one = cells.cell(0, 0);
    return std::min(one.width(), one.height()) >= kSmallCell && qint64{cells.classes} * cells.sessions <= kMostCells;
}

void paintStreamCells(QPainter& painter, const StreamCells& cells, const PlannedStream& stream,
                      const std::vector<ClassHome>& homes, const Theme& theme) {
    painter.setPen(Qt::NoPen);
    for (int label = 0; label < cells.classes; ++label) {
        const auto& counts = stream.counts[static_cast<std::size_t>(label)];
        const auto most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
        for (int session = 0; session < cells.sessions; ++session) {
            const QRectF cell = cells.cell(label, session);
            const double radius = std::min({2.0, cell.width() / 4, cell.height() / 4});
            const std::int64_t count = counts[static_cast<std::size_t>(session)];
            painter.setBrush(theme.raised);
            painter.drawRoundedRect(cell, radius, radius);
            if (count == 0) continue;
            QColor colour = homes[static_cast<std::size_t>(label)].blurry ? theme.blurry : theme.disjoint;
            colour.setAlphaF(shadeStrength(static_cast<double>(count) / most));
            painter.setBrush(colour);
            painter.drawRoundedRect(cell, radius, radius);
        }
    }
}

void paintClassNames(QPainter& painter, const StreamCells& cells, const PlannedStream& stream, const QFont& font,
                     const Theme& theme) {
    if (!cells.named()) return;
    const QFontMetricsF metrics(font);
    const double wide = StreamCells::nameWidth() - 8;
    painter.setPen(theme.quiet);
    for (int label = 0; label < cells.classes; ++label) {
        const QRectF first = cells.cell(label, 0);
        const QString name = QString::fromStdString(stream.labels->class_names[static_cast<std::size_t>(label)]);
        painter.drawText(QRectF(0, first.top() - 1, wide, first.height() + 2), Qt::AlignRight | Qt::AlignVCenter,
                         metrics.elidedText(name, Qt::ElideRight, wide));
    }
}

void paintStreamEdits(QPainter& painter, const StreamCells& cells, const PlannedStream& stream, const Theme& theme) {
    const QRectF one = cells.cell(0, 0);
    if (one.isEmpty() || std::min(one.width(), one.height()) < 2 * kSmallCell) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 1, Qt::DotLine));
    for (const AppliedEdit& applied : stream.plan.edits)
        if (applied.moved > 0)
            painter.drawRoundedRect(cells.cell(static_cast<int>(applied.edit.label), static_cast<int>(applied.edit.to)),
                                    2, 2);
}

void paintClassMove(QPainter& painter, const StreamCells& cells, const ClassMove& move, bool blurry,
                    const Theme& theme) {
    const QRectF row = cells.row(move.label);
    const double tall = std::max(row.height(), 2 * kSmallCell);
    const auto cell = [&](int session) {
        const QRectF column = cells.column(session);
        return QRectF(column.left(), row.center().y() - tall / 2, column.width(), tall);
    };
    const QColor colour = blurry ? theme.blurry : theme.disjoint;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colour, 1, Qt::DashLine));
    painter.drawRoundedRect(cell(move.from), 2, 2);
    if (move.to < 0) return;
    painter.setPen(QPen(theme.text, 1));
    painter.drawRoundedRect(cells.column(move.to).adjusted(-1, -1, 1, 1), 3, 3);
    painter.setPen(QPen(theme.text, 1.5 * theme.weight));
    painter.setBrush(colour);
    painter.drawRoundedRect(cell(move.to), 2, 2);
    painter.setBrush(Qt::NoBrush);
}

}  // namespace palimpsest
