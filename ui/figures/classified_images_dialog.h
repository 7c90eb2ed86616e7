// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <memory>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/run/run_events.h"
#include "ui/state/class_names.h"

class QLabel;
class QListView;
class QToolButton;

namespace palimpsest {

class DatasetService;
class PictureGridModel;
class PictureLoader;

/// Test images that were answered alike: those behind one cell of the confusion matrix.
class ClassifiedImagesDialog : public QDialog {
    Q_OBJECT
public:
    explicit ClassifiedImagesDialog(std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);

    /// `heading`: "Trouser answered as Dress: 12 images after 3,000 images seen". The samples are positions in the test
    /// set with their true classes.
    void showImages(const Experiment& experiment, const ClassNames& words, const QString& heading,
                    std::vector<KeptSample> samples);
    const PictureGridModel* model() const { return images_; }
    const PictureLoader* pictures() const { return pictures_; }

Q_SIGNALS:
    /// The life of a test image is to be followed.
    void pinAsked(qint64 image);

private:
    void showState();

    PictureLoader* pictures_;
    PictureGridModel* images_;
    QListView* grid_;
    QLabel *heading_, *current_;
    QToolButton* pin_;
};

}  // namespace palimpsest
