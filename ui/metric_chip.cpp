// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/metric_chip.h"

#include <QPainter>
#include <algorithm>

#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kPad = 12;
constexpr int kSpace = 7;
constexpr int kHeight = 26;
constexpr int kOwnPieces = 2;                       // title and value
constexpr double kLeastName = 30, kMostName = 150;  // pixels of usual text, of what it is compared with

/// "74.6", "74.6 ± 1.2".
QString numberText(const MetricChip::Number& number) {
    const QString mean = percentText(number.mean);
    return number.count < 2 ? mean : MetricChip::tr("%1 ± %2").arg(mean, percentText(number.half_width));
}

QString countOf(const MetricChip::Number& number) {
    return MetricChip::tr("N = %1").arg(number.count);
}

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

QVector<MetricChip::Piece> MetricChip::ownPieces() const {
    if (!content_.value) return {};
    const Theme& theme = Theme::of(this);
    QVector<Piece> list{{name_, theme.quiet}, {numberText(*content_.value), theme.accent, true}};
    if (content_.value->count > 1) list.push_back({countOf(*content_.value), theme.quiet});
    return list;
}

QVector<MetricChip::Piece> MetricChip::comparedPieces() const {
    if (!content_.value) return {};
    const Theme& theme = Theme::of(this);
    QVector<Piece> list;
    if (content_.compared) {
        const Number& compared = *content_.compared;
        list.push_back({QStringLiteral("vs"), theme.quiet});
        if (!content_.name.isEmpty()) list.push_back({content_.name, theme.quiet, false, true});
        list.push_back({numberText(compared), theme.quiet});
        if (compared.count > 1) list.push_back({countOf(compared), theme.quiet});
    }
    if (!content_.note.isEmpty()) list.push_back({content_.note, theme.quiet});
    if (content_.compared && content_.comparable) {
        const double difference = shownDifference(content_.value->mean, content_.compared->mean);
        list.push_back({signedPercentText(difference), difference < 0 ? theme.worse : theme.better, true});
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

QVector<MetricChip::Piece> MetricChip::fitted(double room) const {
    QVector<Piece> list = pieces();
    double whole = -kSpace;
    for (const Piece& piece : list) whole += widthOf(piece) + kSpace;
    // The difference says more than a name of which nothing is left.
    const auto gone = [&](const Piece& piece) {
        return piece.shortens && room - (whole - widthOf(piece)) < std::min(widthOf(piece), scaled(kLeastName));
    };
    list.erase(std::remove_if(list.begin(), list.end(), gone), list.end());
    for (Piece& piece : list) {
        if (!piece.shortens) continue;
        const double left = room - (whole - widthOf(piece));
        const double most = std::clamp<double>(left, scaled(kLeastName), scaled(kMostName));
        piece.text = QFontMetricsF(fontOf(piece)).elidedText(piece.text, Qt::ElideRight, most);
    }
    double end = -kSpace;
    for (qsizetype i = 0; i < list.size(); ++i) {
        end += kSpace + widthOf(list[i]);
        if (end > room) return list.mid(0, i);
    }
    return list;
}

QSize MetricChip::sizeHint() const {
    return sizeFor(fitted(QWIDGETSIZE_MAX));
}

QSize MetricChip::minimumSizeHint() const {
    return sizeFor(pieces().mid(0, kOwnPieces));
}

QSize MetricChip::sizeFor(const QVector<Piece>& pieces) const {
    double width = 2 * kPad - kSpace;
    for (const Piece& piece : pieces) width += widthOf(piece) + kSpace;
    return {static_cast<int>(width + 1), scaled(kHeight)};
}

void MetricChip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.line, 1));
    painter.setBrush(theme.ground);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
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
