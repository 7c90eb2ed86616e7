// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <stop_token>

#include "engine/run/laboratory.h"
#include "ui/datasets/dataset_library.h"
#include "ui/state/background.h"

namespace palimpsest {

class ClassSamples;
class DatasetDialog;
class ExperimentPanel;
class FetchNote;
class MessageBar;
struct WindowState;

/// All that the window does with data sets: the dialog, folders of images, the marks of the chooser, pictures of a
/// class, and the way out when a data set is missing.
class DatasetController : public QObject {
    Q_OBJECT
public:
    DatasetController(WindowState& state, ExperimentPanel* panel, MessageBar* messages, QWidget* window);
    ~DatasetController() override;

    DatasetLibrary* library() const { return library_; }
    /// For the top bar.
    FetchNote* note() const { return note_; }
    bool busy() const { return library_->fetching(); }

public Q_SLOTS:
    /// On this data set; empty: the experiment's.
    void showDialog(const QString& name = {});
    void askForImages();
    /// Lets the experiment stream the images of a folder, as one step that can be undone. Answered by imagesOpened().
    void openImages(const QString& folder);
    /// The message bar shows this failure of a run: offers the way out where the experiment's data set is missing.
    void findRemedy(const QString& message);
    /// Pictures and labels of files that may have changed.
    void forget();

Q_SIGNALS:
    void imagesOpened(bool success);
    /// Own drawings are to be the data set.
    void drawAsked();
    /// Files may have changed: what others have read of them no longer counts.
    void forgotten();

private:
    void connectLibrary();
    void connectPanel();
    void use(const QString& name);
    using Labels = std::shared_ptr<const DatasetLabels>;
    /// `labels`: of its images; null after a failure.
    void finishImages(const QString& folder, std::optional<Failure> failure, const Labels& labels);
    QString streamed() const;
    /// As it lies there now.
    bool inUse(const QString& name) const;
    void refreshUse();
    /// The draft with another data set. Throws Error when the option table refuses.
    Experiment with(const QString& dataset, const QString& root) const;
    void onFetchEnded(const QString& name, DatasetLibrary::FetchEnd how, const QString& message, const QString& hint);
    void onChecked(const QString& name, const QString& root, bool missing);

    WindowState& state_;
    ExperimentPanel* panel_;
    MessageBar* messages_;
    QWidget* window_;
    DatasetLibrary* library_;
    ClassSamples* samples_;
    FetchNote* note_;
    DatasetDialog* dialog_ = nullptr;
    QString failure_;           ///< the message of a failed run, for which a remedy is looked for
    StreamOptions failed_;      ///< its stream
    std::stop_source closing_;  ///< of the folder that is being looked at
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
