// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/metric_chip.h"

#include <QPainter>

#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kPad = 12;
constexpr int kSpace = 7;
constexpr int kHeight = 26;
constexpr int kOwnPieces = 2;  // name and value

}  // namespace

MetricChip::MetricChip(const QString& name, QWidget* parent) : QWidget(parent), name_(name) {
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setAccessibleName(name);
    setVisible(false);
}

void MetricChip::setValue(std::optional<double> value, std::optional<double> compared, const QString& note,
                          bool comparable) {
    if (value == value_ && compared == compared_ && note == note_ && comparable == comparable_) return;
    comparable_ = comparable;
    value_ = value;
    compared_ = compared;
    note_ = note;
    setAccessibleDescription(text());
    setVisible(value_.has_value());
    updateGeometry();
    update();
}

QVector<MetricChip::Piece> MetricChip::pieces() const {
    if (!value_) return {};
    const Theme& theme = Theme::of(this);
    QVector<Piece> list{{name_, theme.quiet, false}, {percentText(*value_), theme.accent, true}};
    if (compared_) {
        const double difference = shownDifference(*value_, *compared_);
        list.push_back({QStringLiteral("vs ") + percentText(*compared_) + (note_.isEmpty() ? QString() : ' ' + note_),
                        theme.quiet, false});
        if (comparable_)
            list.push_back({signedPercentText(difference), difference < 0 ? theme.worse : theme.better, true});
    } else if (!note_.isEmpty()) {
        list.push_back({note_, theme.quiet, false});
    }
    return list;
}

QString MetricChip::text() const {
    QStringList words;
    for (const Piece& piece : pieces()) words.push_back(piece.text);
    return words.join(' ');
}

QSize MetricChip::sizeHint() const {
    return sizeFor(pieces());
}

QSize MetricChip::minimumSizeHint() const {
    return sizeFor(pieces().mid(0, kOwnPieces));
}

QSize MetricChip::sizeFor(const QVector<Piece>& pieces) const {
    double width = 2 * kPad - kSpace;
    for (const Piece& piece : pieces)
        width += QFontMetricsF(textFont(font(), text_size::kText, piece.bold ? QFont::DemiBold : QFont::Normal))
                     .horizontalAdvance(piece.text) +
                 kSpace;
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
    for (const Piece& piece : pieces()) {
        const QFont type = textFont(font(), text_size::kText, piece.bold ? QFont::DemiBold : QFont::Normal);
        const double width = QFontMetricsF(type).horizontalAdvance(piece.text);
        if (x + width > this->width() - kPad + 1) break;
        painter.setFont(type);
        painter.setPen(piece.colour);
        painter.drawText(QRectF(x, 0, width + 2, height()), Qt::AlignVCenter | Qt::AlignLeft, piece.text);
        x += width + kSpace;
    }
}

}  // namespace palimpsest
