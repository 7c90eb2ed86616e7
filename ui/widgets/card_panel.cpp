// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/card_panel.h"

#include <QAbstractItemDelegate>
#include <QFrame>
#include <QListView>
#include <QVBoxLayout>

#include "ui/style/text_style.h"

namespace palimpsest {

QFrame* makeCardPanel(QListView* list, QAbstractItemDelegate* delegate, int width) {
    delegate->setParent(list);
    list->setItemDelegate(delegate);
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setUniformItemSizes(true);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    fitToText(panel, [panel, width] { panel->setFixedWidth(scaled(width)); });
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(6, 6, 4, 6);
    column->addWidget(list);
    return panel;
}

}  // namespace palimpsest
