// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/labels.h"

#include <QLabel>
#include <QPalette>

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

}  // namespace palimpsest
