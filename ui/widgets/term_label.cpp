// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/term_label.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include "ui/style/theme.h"
#include "ui/widgets/term_card.h"

namespace palimpsest {

TermLabel::TermLabel(Term term, const QString& text, QWidget* parent) : QLabel(parent), term_(term) {
    setWords(text);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    const QString name = textOf(term).title;
    setAccessibleDescription(tr("Return explains the term: %1").arg(name));
    setToolTip(tr("%1: click for what it means").arg(name));
}

void TermLabel::setWords(const QString& words) {
    setText(words);
    setAccessibleName(words);
}

QRect TermLabel::wordsRect() const {
    const QRect inside = contentsRect().adjusted(margin(), margin(), -margin(), -margin());
    const int flags =
        static_cast<int>(QStyle::visualAlignment(layoutDirection(), alignment())) | (wordWrap() ? Qt::TextWordWrap : 0);
    return fontMetrics().boundingRect(inside, flags, text()) & inside;
}

void TermLabel::openCard() {
    TermCards::instance().show(term_, this, wordsRect());
}

void TermLabel::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && wordsRect().contains(event->position().toPoint()))
        openCard();
    else
        QLabel::mousePressEvent(event);
}

void TermLabel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        openCard();
    else
        QLabel::keyPressEvent(event);
}

void TermLabel::focusInEvent(QFocusEvent* event) {
    QLabel::focusInEvent(event);
    update();
}
void TermLabel::focusOutEvent(QFocusEvent* event) {
    QLabel::focusOutEvent(event);
    update();
}

void TermLabel::paintEvent(QPaintEvent* event) {
    QLabel::paintEvent(event);
    const QRect words = wordsRect();
    if (words.isEmpty() || text().isEmpty()) return;
    QPainter painter(this);
    const Theme& theme = Theme::of(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen dots(hasFocus() ? theme.accent : theme.quiet, 1.4, Qt::CustomDashLine, Qt::RoundCap);
    dots.setDashPattern({0.1, 2.2});
    painter.setPen(dots);
    // The last row of the box is below the letters, but for those that reach down.
    const QRectF line = QRectF(words).adjusted(1, 0, -1, -0.5);
    painter.drawLine(line.bottomLeft(), line.bottomRight());
    if (!hasFocus()) return;
    const double inset = 0.75 * theme.weight;
    painter.setPen(QPen(theme.accent, 2 * inset));
    painter.drawRoundedRect(QRectF(rect()).adjusted(inset, inset, -inset, -inset), 3, 3);
}

}  // namespace palimpsest
