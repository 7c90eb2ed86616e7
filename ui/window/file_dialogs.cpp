// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_dialogs.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include "engine/support/slug.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/saved_experiment.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

/// What a message about a written file is about, so that the next one takes its place.
QString topicOf(FileWorker::Written what) {
    switch (what) {
        case FileWorker::Written::Experiment:
            return QStringLiteral("experiment");
        case FileWorker::Written::Figure:
            return QStringLiteral("figure");
        case FileWorker::Written::Prompts:
            return QStringLiteral("prompts");
        case FileWorker::Written::Stream:
            break;
    }
    return QStringLiteral("stream");
}

}  // namespace

FileDialogs::FileDialogs(FileWorker* files, const ExperimentDraft* draft, SavedExperiment* kept, MessageBar* messages,
                         QWidget* window)
    : QObject(window), files_(files), draft_(draft), kept_(kept), messages_(messages), window_(window) {
    connect(files_, &FileWorker::saved, this, [this](const QString& file) {
        kept_->keep(file, written_);
        Q_EMIT FileDialogs::saved(QString::fromStdString(written_.name), file);
    });
    connect(files_, &FileWorker::written, this, [this](FileWorker::Written what, const QString& file) {
        const QFileInfo info(file);
        save_folder_ = info.absolutePath();
        messages_->showPassing(topicOf(what), tr("Saved %1").arg(info.fileName()),
                               tr("In the folder %1").arg(QDir::toNativeSeparators(save_folder_)));
        Q_EMIT saveFolderChanged(save_folder_);
    });
    connect(files_, &FileWorker::notWritten, this,
            [this](FileWorker::Written what, const QString& message, const QString& hint) {
                messages_->showLatest(MessageBar::Kind::Error, topicOf(what), message, hint);
            });
}

QString FileDialogs::saveFolder() const {
    if (QFileInfo(save_folder_).isDir()) return save_folder_;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QFileInfo(documents).isDir() ? documents : QDir::homePath();
}

void FileDialogs::askForExperiment() {
    const QString folder = kept_->file().isEmpty() ? saveFolder() : QFileInfo(kept_->file()).path();
    auto* dialog = new QFileDialog(window_, tr("Open experiment"), folder, tr("Experiments (*.toml)"));
    dialog->setObjectName("openExperimentDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &FileDialogs::openAsked);
    dialog->show();
}

void FileDialogs::askForRun(const QString& folder) {
    auto* dialog = new QFileDialog(window_, tr("Open run folder"), folder);
    dialog->setObjectName("openRunDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, this, &FileDialogs::openAsked);
    dialog->show();
}

void FileDialogs::askWhereToSave() {
    const QString name = QString::fromStdString(slug(draft_->experiment().name, 60));
    auto* dialog = new QFileDialog(window_, tr("Save experiment"), saveFolder(), tr("Experiments (*.toml)"));
    dialog->setObjectName("saveDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("toml");
    dialog->selectFile(kept_->file().isEmpty() ? name + ".toml" : kept_->file());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        written_ = draft_->experiment();
        files_->save(written_, file);
    });
    dialog->show();
}

}  // namespace palimpsest
