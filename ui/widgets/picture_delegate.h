// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace palimpsest {

class PictureLoader;

/// Draws one image of a memory, underlined by the kind of its class.
class PictureDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int kSide = 48;  ///< of the picture, device-independent pixels
    static constexpr QSize kCell{54, 58};

    PictureDelegate(PictureLoader* pictures, QObject* parent);
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    PictureLoader* pictures_;
};

}  // namespace palimpsest
