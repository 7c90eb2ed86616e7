// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemModel;
class QListView;
class QStyledItemDelegate;

namespace palimpsest {

/// A view of small pictures in rows, as many as fit beside each other; its maker names it.
QListView* makePictureGrid(QAbstractItemModel* model, QStyledItemDelegate* delegate);

}  // namespace palimpsest
