// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fitting_label.h"

#include <QEvent>

namespace palimpsest {

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
