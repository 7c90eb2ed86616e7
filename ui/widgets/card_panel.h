// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAbstractItemDelegate;
class QFrame;
class QListView;

namespace palimpsest {

/// A panel that holds the list, whose rows `delegate` draws; the list takes it over. `width` in pixels at the usual
/// size of text.
QFrame* makeCardPanel(QListView* list, QAbstractItemDelegate* delegate, int width);

}  // namespace palimpsest
