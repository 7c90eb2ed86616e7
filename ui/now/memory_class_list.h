// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QListView>
#include <QStyledItemDelegate>

namespace palimpsest {

/// Draws one row of a memory's classes: the name, how many images are kept, and a bar of that length.
class MemoryClassDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

/// The classes of a memory, of which one can be chosen; chosen again, or with Escape, it gives way to all of them.
class MemoryClassList : public QListView {
    Q_OBJECT
public:
    explicit MemoryClassList(QWidget* parent = nullptr);

    /// Sets the PictureClassModel; once.
    void setModel(QAbstractItemModel* model) override;
    /// PictureClassModel::kAll: all of them.
    int chosen() const;
    void choose(int label);

Q_SIGNALS:
    void classChosen(int label);

protected:
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int pressed_ = 0;         ///< the class that was chosen when the mouse went down
    bool on_chosen_ = false;  ///< and whether it went down on that one
};

}  // namespace palimpsest
