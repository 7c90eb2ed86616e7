// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/memory_class_list.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <utility>

#include "ui/widgets/picture_class_model.h"

namespace palimpsest {

MemoryClassList::MemoryClassList(QWidget* parent) : QListView(parent) {
    setObjectName("memoryClasses");
    setAccessibleName(tr("How many images are kept of each class"));
    setToolTip(tr("Choose a class to see its images alone; choose it again to see all"));
    setSelectionMode(QAbstractItemView::SingleSelection);
}

void MemoryClassList::setModel(QAbstractItemModel* model) {
    QListView::setModel(model);
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { Q_EMIT classChosen(chosen()); });
}

int MemoryClassList::chosen() const {
    const QModelIndex current = currentIndex();
    return current.isValid() ? current.data(PictureClassModel::LabelRole).toInt() : PictureClassModel::kAll;
}

void MemoryClassList::choose(int label) {
    setCurrentIndex(static_cast<PictureClassModel*>(model())->indexOf(label));
}

void MemoryClassList::mousePressEvent(QMouseEvent* event) {
    pressed_ = chosen();
    on_chosen_ = event->button() == Qt::LeftButton && pressed_ != PictureClassModel::kAll &&
                 indexAt(event->pos()) == currentIndex();
    QListView::mousePressEvent(event);
}

void MemoryClassList::mouseReleaseEvent(QMouseEvent* event) {
    QListView::mouseReleaseEvent(event);
    if (std::exchange(on_chosen_, false) && chosen() == pressed_ && indexAt(event->pos()) == currentIndex())
        choose(PictureClassModel::kAll);
}

void MemoryClassList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && chosen() != PictureClassModel::kAll) return choose(PictureClassModel::kAll);
    QListView::keyPressEvent(event);
}

}  // namespace palimpsest
