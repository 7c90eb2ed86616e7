// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>

#include "ui/widgets/picture_grid.h"

class QLabel;
class QListView;
class QStackedWidget;

namespace palimpsest {

class DatasetService;
class MemoryClassList;
class PictureClassModel;
class PictureGridModel;
class PictureLoader;

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
    int chosen() const;

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
