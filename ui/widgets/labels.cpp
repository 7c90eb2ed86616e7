// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/labels.h"

#include <QEvent>
#include <QPalette>
#include <QStyle>

#include "ui/style/text_style.h"

namespace palimpsest {

void styleLabel(QLabel* label, int pixels, QFont::Weight weight, bool quiet) {
    fitToText(label, [label, pixels, weight] { label->setFont(textFont(label->font(), pixels, weight)); });
    label->setTextFormat(Qt::PlainText);
    if (quiet) {
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setProperty("quiet", true);
    }
}

QLabel* makeLabel(const QString& text, int pixels, QFont::Weight weight, bool quiet, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    styleLabel(label, pixels, weight, quiet);
    return label;
}

QLabel* makeTextLabel(int pixels, QFont::Weight weight, bool quiet) {
    QLabel* label = makeLabel({}, pixels, weight, quiet);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

void keepLines(QLabel* label, int lines) {
    QSizePolicy policy = label->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    label->setSizePolicy(policy);
    label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    fitToText(label, [label, lines] { label->setMinimumHeight(lines * label->fontMetrics().lineSpacing()); });
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

void markWrong(QWidget* widget, bool wrong) {
    if (widget->property("wrong").toBool() == wrong) return;
    widget->setProperty("wrong", wrong);
    restyle(widget);
}

FittingLabel::FittingLabel(QWidget* parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void FittingLabel::setTexts(const QStringList& texts) {
    texts_ = texts;
    fit();
}

void FittingLabel::fit() {
    // Whole pixels may round down a text that is then cut by a fraction of one.
    const QFontMetricsF metrics(font());
    QString chosen;
    for (const QString& text : texts_) {
        chosen = text;
        if (metrics.horizontalAdvance(text) <= contentsRect().width()) break;
    }
    setText(fontMetrics().elidedText(chosen, Qt::ElideRight, contentsRect().width()));
    setAccessibleName(texts_.value(0));
    setToolTip(text() == texts_.value(0) ? QString() : texts_.value(0));
}

void FittingLabel::resizeEvent(QResizeEvent* event) {
    QLabel::resizeEvent(event);
    fit();
}

void FittingLabel::changeEvent(QEvent* event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

}  // namespace palimpsest
