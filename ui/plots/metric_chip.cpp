// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/metric_chip.h"

#include <QPainter>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kPad = 12;
constexpr int kSpace = 7;
constexpr int kHeight = 26;
constexpr double kLeastChipName = 72, kMostName = 220;  // pixels of usual text, of what it is compared with

QString joined(const auto& pieces) {
    QStringList words;
    for (const auto& piece : pieces) words.push_back(piece.text);
    return words.join(' ');
}

}  // namespace

MetricChip::MetricChip(const QString& name, QWidget* parent) : QWidget(parent), name_(name) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setAccessibleName(name);
    setVisible(false);
}

void MetricChip::setContent(const Content& content) {
    if (content == content_) return;
    content_ = content;
    setAccessibleDescription(text());
    setVisible(content_.value.has_value());
    updateGeometry();
    update();
}

/// Both numbers give their count if one of them is a mean.
void MetricChip::addNumber(QVector<Piece>& list, Part part, const Number& number, const QColor& colour,
                           bool bold) const {
    list.push_back({part, percentText(number.mean), colour, bold});
    if (number.count > 1)
        list.push_back({Part::Deviation, tr("± %1").arg(percentText(number.half_width)), colour, bold});
    if (content_.value->count > 1 || (content_.compared && content_.compared->count > 1))
        list.push_back({Part::Count, tr("N = %1").arg(number.count), Theme::of(this).quiet});
}

QVector<MetricChip::Piece> MetricChip::ownPieces() const {
    if (!content_.value) return {};
    const Theme& theme = Theme::of(this);
    QVector<Piece> list{{Part::Title, name_, theme.quiet}};
    addNumber(list, Part::Value, *content_.value, content_.colour.isValid() ? content_.colour : theme.text, true);
    return list;
}

QVector<MetricChip::Piece> MetricChip::comparedPieces() const {
    if (!content_.value) return {};
    const Theme& theme = Theme::of(this);
    QVector<Piece> list;
    if (content_.compared) {
        list.push_back({Part::Versus, tr("vs"), theme.quiet});
        if (!content_.name.isEmpty()) list.push_back({Part::Name, content_.name, theme.quiet});
        addNumber(list, Part::Compared, *content_.compared, theme.quiet, false);
    }
    if (!content_.note.isEmpty()) list.push_back({Part::Note, content_.note, theme.quiet});
    if (!content_.warning.isEmpty()) list.push_back({Part::Warning, content_.warning, theme.attention});
    if (content_.compared && content_.comparable) {
        const double difference = shownDifference(content_.value->mean, content_.compared->mean);
        // As in the list of runs: no good or bad without evidence, where the two can hardly be compared, or where
        // nothing differs.
        const bool judged = content_.evident && content_.warning.isEmpty() && difference != 0;
        list.push_back({Part::Difference, signedPercentText(difference),
                        !judged          ? theme.text
                        : difference < 0 ? theme.worse
                                         : theme.better,
                        true});
    }
    return list;
}

QString MetricChip::text() const {
    return joined(pieces());
}

QString MetricChip::comparison() const {
    return joined(comparedPieces());
}

QString MetricChip::shownText() const {
    return joined(fitted(width() - 2 * kPad + 1));
}

QFont MetricChip::fontOf(const Piece& piece) const {
    return textFont(font(), text_size::kText, piece.bold ? QFont::DemiBold : QFont::Normal);
}

double MetricChip::widthOf(const Piece& piece) const {
    return QFontMetricsF(fontOf(piece)).horizontalAdvance(piece.text);
}

double MetricChip::widthOf(const QVector<Piece>& pieces) const {
    double width = pieces.isEmpty() ? 0 : -kSpace;
    for (const Piece& piece : pieces) width += widthOf(piece) + kSpace;
    return width;
}

QVector<MetricChip::Piece> MetricChip::fitted(double room) const {
    QVector<Piece> list = pieces();
    const auto giveUp = [&](std::initializer_list<Part> parts) {
        if (widthOf(list) <= room) return;
        list.removeIf(
            [&](const Piece& piece) { return std::find(parts.begin(), parts.end(), piece.part) != parts.end(); });
    };
    const auto shorten = [&](double most) {
        for (Piece& piece : list)
            if (piece.part == Part::Name)
                piece.text = QFontMetricsF(fontOf(piece)).elidedText(piece.text, Qt::ElideMiddle, most);
    };
    shorten(scaled(kMostName));
    giveUp({Part::Deviation});
    giveUp({Part::Count});
    for (const Piece& piece : QVector<Piece>(list))
        if (const double over = widthOf(list) - room; piece.part == Part::Name && over > 0)
            shorten(std::max<double>(scaled(kLeastChipName), widthOf(piece) - over));
    giveUp({Part::Name});
    giveUp({Part::Note});
    giveUp({Part::Versus, Part::Compared});
    const bool more = std::any_of(list.begin(), list.end(), [](const Piece& piece) {
        return piece.part == Part::Warning || piece.part == Part::Difference;
    });
    if (more) giveUp({Part::Title});
    return list;
}

QSize MetricChip::sizeFor(const QVector<Piece>& pieces) const {
    return {static_cast<int>(2 * kPad + widthOf(pieces) + 1), scaled(kHeight)};
}

void MetricChip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int edge = edgeWidth(theme);
    const double inset = edge / 2.0;
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.line, edge));
    painter.setBrush(theme.ground);
    const QRectF frame = QRectF(rect()).adjusted(inset, inset, -inset, -inset);
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);
    double x = kPad;
    for (const Piece& piece : fitted(width() - 2 * kPad + 1)) {
        const double wide = widthOf(piece);
        painter.setFont(fontOf(piece));
        painter.setPen(piece.colour);
        painter.drawText(QRectF(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, piece.text);
        x += wide + kSpace;
    }
}

}  // namespace palimpsest
