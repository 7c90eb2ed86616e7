// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tab_row.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kIcon = 16, kAround = 6;  // icon of a tab without text; padding by the style sheet

}  // namespace

TabRow::TabRow(int gap, QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this)) {
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(gap);
    row_->addStretch(1);
    // Tabs are fitted to the row; they do not widen it.
    row_->setSizeConstraint(QLayout::SetNoConstraint);
    connect(&TextScale::instance(), &TextScale::changed, this, &TabRow::fit, Qt::QueuedConnection);
}

void TabRow::addTab(QToolButton* tab, const QIcon& icon) {
    row_->insertWidget(static_cast<int>(tabs_.size()), tab);
    tabs_.append({tab, icon});
    // The action sets the text again whenever it changes, as when its page is chosen.
    connect(tab->defaultAction(), &QAction::changed, this, &TabRow::fit, Qt::QueuedConnection);
    fit();
}

void TabRow::setEnd(QToolButton* end) {
    end_ = end;
    row_->addWidget(end);
    fit();
}

QSize TabRow::minimumSizeHint() const {
    const int least = scaled(kIcon) + kAround;
    const int all = static_cast<int>(tabs_.size()) * (least + row_->spacing()) + (end_ ? 2 * least : 0);
    return {all, row_->sizeHint().height()};
}

int TabRow::wanted() const {
    int width = end_ ? end_->sizeHint().width() : 0;
    for (const Tab& tab : tabs_) width += tab.button->sizeHint().width() + row_->spacing();
    return width;
}

bool TabRow::applyStyle(Named named) {
    for (const Tab& tab : tabs_) {
        const bool with_text = named == Named::All || (named == Named::Chosen && tab.button->isChecked());
        tab.button->setToolButtonStyle(with_text ? Qt::ToolButtonTextOnly : Qt::ToolButtonIconOnly);
    }
    return wanted() <= width();
}

void TabRow::fit() {
    for (const Tab& tab : tabs_) {
        tab.button->setText(tab.button->defaultAction()->text());
        tab.button->setIcon(tab.icon);
    }
    if (end_) end_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    if (applyStyle(Named::All)) return;
    if (end_) end_->setToolButtonStyle(Qt::ToolButtonIconOnly);
    if (!applyStyle(Named::All) && !applyStyle(Named::Chosen)) applyStyle(Named::None);
}

void TabRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

}  // namespace palimpsest
