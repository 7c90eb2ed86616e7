// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_grid.h"

#include <QListView>

#include "ui/widgets/picture_delegate.h"

namespace palimpsest {

QListView* makePictureGrid(QAbstractItemModel* model, QStyledItemDelegate* delegate) {
    auto* grid = new QListView;
    grid->setModel(model);
    grid->setItemDelegate(delegate);
    grid->setViewMode(QListView::IconMode);
    grid->setMovement(QListView::Static);
    grid->setResizeMode(QListView::Adjust);
    grid->setUniformItemSizes(true);
    grid->setGridSize(PictureDelegate::kCell);
    grid->setSelectionMode(QAbstractItemView::SingleSelection);
    grid->setSelectionRectVisible(false);
    grid->setFrameShape(QFrame::NoFrame);
    grid->setMouseTracking(true);
    grid->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    grid->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    grid->setEditTriggers(QAbstractItemView::NoEditTriggers);
    return grid;
}

}  // namespace palimpsest
