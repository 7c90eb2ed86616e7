// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tab_row.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kLeastTab = 44;  // room for a few letters

}  // namespace

TabRow::TabRow(int gap, QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(gap);
    row_->addStretch(1);
    // What is laid out is fitted to the row; the row is not widened by it.
    row_->setSizeConstraint(QLayout::SetNoConstraint);
    connect(&TextScale::instance(), &TextScale::changed, this, &TabRow::fit, Qt::QueuedConnection);
}

void TabRow::addTab(QToolButton* tab) {
    row_->insertWidget(static_cast<int>(tabs_.size()), tab);
    tabs_.append(tab);
    // The action writes its words anew whenever it changes.
    connect(tab->defaultAction(), &QAction::changed, this, &TabRow::fit, Qt::QueuedConnection);
    fit();
}

void TabRow::setEnd(QToolButton* end) {
    end_ = end;
    row_->addWidget(end);
    fit();
}

QSize TabRow::minimumSizeHint() const {
    const int end = end_ ? scaled(kLeastTab) : 0;
    return {static_cast<int>(tabs_.size()) * (scaled(kLeastTab) + row_->spacing()) + end, row_->sizeHint().height()};
}

int TabRow::wanted() const {
    int width = end_ ? end_->sizeHint().width() : 0;
    for (const QToolButton* tab : tabs_) width += tab->sizeHint().width() + row_->spacing();
    return width;
}

void TabRow::fit() {
    for (QToolButton* tab : tabs_) tab->setText(tab->defaultAction()->text());
    if (end_) end_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    if (end_ && wanted() > width()) end_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    int room = width() - wanted();
    if (room >= 0) return;
    // The longest names are cut first, all to the same width.
    QList<int> widths;
    for (const QToolButton* tab : tabs_) widths.append(tab->fontMetrics().horizontalAdvance(tab->text()));
    int widest = *std::max_element(widths.begin(), widths.end());
    while (room < 0 && widest > 0) {
        --widest;
        for (const int width : widths) room += width > widest ? 1 : 0;
    }
    for (QToolButton* tab : tabs_) tab->setText(tab->fontMetrics().elidedText(tab->text(), Qt::ElideRight, widest));
}

void TabRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

}  // namespace palimpsest
