// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QPainter;
class QRectF;
class QStyleOptionViewItem;

namespace palimpsest {

/// The ground of a row of a list that is selected or under the mouse.
void paintRowGround(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option);
/// The frame of the row that the keyboard is at.
void paintRowFocus(QPainter& painter, const QRectF& row, const QStyleOptionViewItem& option);

}  // namespace palimpsest
