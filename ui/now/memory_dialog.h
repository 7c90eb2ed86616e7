// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QListView>
#include <QStyledItemDelegate>
#include <memory>

#include "ui/widgets/picture_grid.h"

class QLabel;
class QListView;
class QStackedWidget;

namespace palimpsest {

class DatasetService;
class PictureClassModel;
class PictureGridModel;
class PictureLoader;

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

/// Memory of a run for replay: how its places are divided among the classes, and the images themselves, all or those
/// of one class.
class MemoryDialog : public QDialog {
    Q_OBJECT
public:
    /// A null service has no pictures.
    explicit MemoryDialog(std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);

    void showDialog();
    /// In the title: what the run is called. Empty: no run.
    void nameRun(const QString& name);
    void showMemory(const MemoryShown& memory);
    /// Why there is nothing to show.
    void showNothing(const QString& sentence);
    /// Files may have changed: the pictures are read anew.
    void forgetPictures();
    /// The class whose images are shown; PictureClassModel::kAll: all.
    int chosen() const { return list_->chosen(); }

private:
    QWidget* makeHead();
    QWidget* makeClasses();
    QWidget* makeImages();
    void showImages();
    void describeCurrent();
    void showFailure();

    MemoryShown shown_;
    PictureLoader* pictures_;
    PictureClassModel* classes_;
    PictureGridModel* images_;
    QStackedWidget* pages_;
    QLabel* nothing_;
    QLabel* places_;
    QLabel* moment_;
    MemoryClassList* list_;
    QLabel* heading_;
    QStackedWidget* parts_;
    QListView* grid_;
    QLabel* unknown_;
    QLabel* failure_;
    QLabel* current_;
};

}  // namespace palimpsest
