// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dataset_controller.h"

#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <iterator>

#include "engine/stream/fitted_stream.h"
#include "engine/support/own_drawings.h"
#include "engine/support/stop_scope.h"
#include "ui/datasets/dataset_chooser.h"
#include "ui/datasets/dataset_dialog.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/window_state.h"
#include "ui/stream/class_hover.h"
#include "ui/stream/class_samples.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/text_style.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/open_controller.h"

namespace palimpsest {
namespace {

/// The data set that is any folder of the user's own.
constexpr const char* kFolder = "folder";

}  // namespace

DatasetController::DatasetController(WindowState& state, ExperimentPanel* panel, MessageBar* messages, QWidget* window)
    : state_(state),
      panel_(panel),
      messages_(messages),
      window_(window),
      library_(new DatasetLibrary(state.laboratory.datasets, this)),
      samples_(new ClassSamples(state.laboratory.datasets, this)),
      note_(new FetchNote(library_)) {
    new ClassHover(panel_->preview(), samples_, window_);
    connect(note_, &QToolButton::clicked, this, [this] { showDialog(library_->fetched().value(0)); });
    connectLibrary();
    connectPanel();
    library_->refresh();
}

DatasetController::~DatasetController() {
    closing_.request_stop();
}

void DatasetController::connectLibrary() {
    connect(library_, &DatasetLibrary::fetchEnded, this, &DatasetController::onFetchEnded);
    connect(library_, &DatasetLibrary::presenceChecked, this, &DatasetController::onChecked);
    connect(library_, &DatasetLibrary::cardsChanged, this, &DatasetController::refreshUse);
}

void DatasetController::connectPanel() {
    auto* chooser = new DatasetChooser(panel_->datasetEditor(), library_);
    connect(chooser, &DatasetChooser::chosen, this, &DatasetController::use);
    connect(panel_, &ExperimentPanel::remedyRequested, this, [this] { showDialog(); });
    connect(panel_, &ExperimentPanel::refused, this, [this] {
        const StreamOptions& stream = state_.controller.draft()->experiment().stream;
        library_->checkPresence(QString::fromStdString(stream.dataset), QString::fromStdString(stream.root));
    });
    connect(state_.controller.draft(), &ExperimentDraft::changed, this, &DatasetController::refreshUse);
}

QString DatasetController::streamed() const {
    return QString::fromStdString(state_.controller.draft()->experiment().stream.dataset);
}

bool DatasetController::inUse(const QString& name) const {
    const StreamOptions& stream = state_.controller.draft()->experiment().stream;
    return name.toStdString() == stream.dataset && library_->rootFor(name).toStdString() == stream.root;
}

void DatasetController::refreshUse() {
    if (dialog_) dialog_->setInUse(inUse(streamed()) ? streamed() : QString());
}

void DatasetController::showDialog(const QString& name) {
    if (!dialog_) {
        dialog_ = new DatasetDialog(library_, window_);
        connect(dialog_, &DatasetDialog::useRequested, this, &DatasetController::use);
        refreshUse();
    }
    dialog_->showDataset(name.isEmpty() ? streamed() : name);
}

void DatasetController::askForImages() {
    auto* dialog = new QFileDialog(window_, tr("Open image folder"));
    dialog->setObjectName("imageFolderDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
        messages_->withdraw(kOpenFailure);
        openImages(folder);
    });
    dialog->show();
}

Experiment DatasetController::with(const QString& dataset, const QString& root) const {
    Experiment experiment = state_.controller.draft()->experiment();
    const OptionTable& table = state_.controller.draft()->table();
    table.set(experiment, *table.find("stream.dataset"), dataset.toStdString());
    table.set(experiment, *table.find("stream.root"), root.toStdString());
    return experiment;
}

void DatasetController::use(const QString& name) {
    if (name == kFolder) {
        askForImages();
        return;
    }
    if (name == kOwnDrawings) {
        Q_EMIT drawAsked();
        return;
    }
    if (inUse(name)) return;
    const auto failure = failureOf(
        [&] { state_.controller.draft()->replace(with(name, library_->rootFor(name)), tr("change of data set")); });
    if (failure) messages_->showMessage(MessageBar::Kind::Error, failure->message, failure->hint);
}

void DatasetController::openImages(const QString& folder) {
    const QString place = QFileInfo(folder).absoluteFilePath();
    std::optional<Experiment> trial;
    if (const auto failure = failureOf([&] { trial = with(kFolder, place); })) {
        finishImages(place, failure, nullptr);
        return;
    }
    // A folder that is given again may have other images by now. Whether it can be read, its loader knows best; labels
    // once read are remembered.
    forget();
    background_.run(
        [labels = state_.laboratory.labels, experiment = *trial, stop = closing_.get_token()] {
            const StopScope scope(stop);
            return labels(experiment);
        },
        [this, place](const Labels& labels) { finishImages(place, std::nullopt, labels); },
        [this, place](const Failure& failure) { finishImages(place, failure, nullptr); });
}

void DatasetController::finishImages(const QString& folder, std::optional<Failure> failure, const Labels& labels) {
    const StreamOptions& stream = state_.controller.draft()->experiment().stream;
    const bool again = stream.dataset == kFolder && stream.root == folder.toStdString();
    if (!failure && again)
        panel_->planAgain();
    else if (!failure)
        failure = failureOf([&] {
            Experiment experiment =
                fittedToImages(with(kFolder, folder), labels->train, std::ssize(labels->class_names));
            experiment.name = QFileInfo(folder).fileName().toStdString();
            state_.controller.draft()->replace(experiment, tr("opening of folder %1").arg(folder));
            const StreamOptions& fitted = experiment.stream;
            messages_->showMessage(
                MessageBar::Kind::Done,
                tr("%1 images to learn from, %2 classes.")
                    .arg(countText(std::ssize(labels->train)), countText(std::ssize(labels->class_names))),
                tr("The stream has %1, %2 % disjoint classes, seed %3.")
                    .arg(fitted.sessions == 1 ? tr("1 session") : tr("%1 sessions").arg(fitted.sessions))
                    .arg(fitted.disjoint_percent)
                    .arg(experiment.seed));
        });
    if (failure) messages_->showMessage(MessageBar::Kind::Error, failure->message, failure->hint, {}, kOpenFailure);
    Q_EMIT imagesOpened(!failure);
}

void DatasetController::forget() {
    samples_->forget();
    const Laboratory& laboratory = state_.laboratory;
    if (laboratory.datasets) laboratory.datasets->forget();
    if (laboratory.forget_labels) laboratory.forget_labels();
    Q_EMIT forgotten();
}

void DatasetController::findRemedy(const QString& message) {
    failure_ = message;
    failed_ = state_.controller.draft()->experiment().stream;
    library_->checkPresence(QString::fromStdString(failed_.dataset), QString::fromStdString(failed_.root));
}

void DatasetController::onChecked(const QString& name, const QString& root, bool missing) {
    const auto isThat = [&](const StreamOptions& stream) {
        return name.toStdString() == stream.dataset && root.toStdString() == stream.root;
    };
    if (missing && isThat(state_.controller.draft()->experiment().stream))
        panel_->offerRemedy(tr("Get %1 …").arg(library_->titleOf(name)));
    if (failure_.isEmpty() || !isThat(failed_)) return;
    if (missing) messages_->addAction(failure_, {tr("Get it"), [this, name] { showDialog(name); }});
    failure_.clear();
}

void DatasetController::onFetchEnded(const QString& name, DatasetLibrary::FetchEnd how, const QString& message,
                                     const QString& hint) {
    if (how == DatasetLibrary::FetchEnd::Done) forget();
    if (how == DatasetLibrary::FetchEnd::Done && name == streamed()) panel_->planAgain();
    // While the dialog is in sight, it says so itself.
    if ((dialog_ && dialog_->isVisible()) || how == DatasetLibrary::FetchEnd::Stopped) return;
    const MessageBar::Action show{tr("Show"), [this, name] { showDialog(name); }};
    if (how == DatasetLibrary::FetchEnd::Failed) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint, show);
        return;
    }
    const MessageBar::Action useIt{tr("Use it"), [this, name] { use(name); }};
    messages_->showMessage(MessageBar::Kind::Done, tr("%1 is here.").arg(library_->titleOf(name)), {},
                           inUse(name) ? show : useIt);
}

}  // namespace palimpsest
