// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_picture.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "ui/state/stream_planner.h"
#include "ui/stream/stream_cells.h"
#include "ui/stream/stream_shades.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kSmallCell = 3;
constexpr qint64 kMostCells = 2000;

}  // namespace

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
