// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QDialog>
#include <map>
#include <memory>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/record/image_lives.h"
#include "ui/state/class_names.h"

class QLabel;
class QListView;
class QPushButton;
class QStackedWidget;

namespace palimpsest {

class DatasetService;
class LifeLines;
class PictureLoader;

/// Test images of a run at one moment, as the dialog shows them.
struct ForgottenShown {
    QString title;  ///< what the run is called
    Experiment experiment;
    ClassNames classes;
    std::shared_ptr<const ImageLives> lives;
    std::size_t moment = 0;              ///< its place among those of `lives`
    std::vector<ForgottenImage> images;  ///< forgotten at that moment
};

/// Forgotten images as a grid of pictures has them (PictureGridModel::Role).
class ForgottenImageModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    void setImages(const ClassNames& classes, std::vector<ForgottenImage> images);
    const std::vector<ForgottenImage>& images() const { return images_; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    ClassNames classes_;
    std::vector<ForgottenImage> images_;
};

/// "Right once, wrong now": the test images that the run recognised before and takes for something else at the moment,
/// the newest loss first. Below them the life of the current image, and of those that were pinned, which stay there
/// whatever moment or run is shown, with their most probable classes over time where the run recorded them.
class ForgottenImagesDialog : public QDialog {
    Q_OBJECT
public:
    /// A null service has no pictures.
    explicit ForgottenImagesDialog(std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);

    void showImages(const ForgottenShown& shown);
    /// `sentence`: why there is nothing to show.
    void showNothing(const QString& sentence);
    /// Reads pictures that could not be read again, or all of them anew.
    void retryPictures();
    void forgetPictures();
    /// Most images that can be pinned.
    static constexpr std::size_t kMostPinned = 6;
    /// Places in the test set, in the order in which they were pinned.
    const std::vector<std::int64_t>& pinned() const { return pinned_; }
    void pin(std::int64_t image, bool pinned);
    const ForgottenImageModel* model() const { return images_; }
    const LifeLines* lives() const { return lines_; }
    /// Answers topClassesAsked(). What comes for other lives than those that are shown is left out.
    void setTopClasses(const std::shared_ptr<const ImageLives>& lives, const std::vector<std::int64_t>& images,
                       const ImageTopClasses& top);

Q_SIGNALS:
    /// Images whose lives are shown, and whose most probable classes are not known.
    void topClassesAsked(const std::shared_ptr<const ImageLives>& lives, const std::vector<std::int64_t>& images);

Q_SIGNALS:
    /// Where the network looks in this image is to be shown.
    void attentionAsked(std::int64_t image);

private:
    void showLives();
    void describeCurrent();
    /// -1: there is none.
    std::int64_t current() const;

    ForgottenShown shown_;
    std::vector<std::int64_t> pinned_;
    TestClasses pinned_of_;                                ///< true classes of the test set that they are of
    std::map<std::int64_t, std::vector<TopClasses>> top_;  ///< of the images that were asked for, by moment
    std::shared_ptr<const ImageLives> top_of_;
    PictureLoader* pictures_;
    ForgottenImageModel* images_;
    QStackedWidget* parts_;
    QLabel *heading_, *nothing_, *current_words_;
    QListView* grid_;
    QPushButton *pin_, *attention_;
    LifeLines* lines_;
};

}  // namespace palimpsest
