// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_dialogs.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QStandardPaths>

#include "engine/support/text.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

/// Topic of a message about a written file, so that the next one replaces it.
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

FileDialogs::FileDialogs(WindowState& state, MessageBar* messages, QWidget* window)
    : state_(state), messages_(messages), window_(window) {
    connect(&state_.files, &FileWorker::saved, this, [this](const QString& file) {
        state_.saved.keep(file, written_);
        Q_EMIT FileDialogs::saved(QString::fromStdString(written_.name), file);
    });
    connect(&state_.files, &FileWorker::written, this, [this](FileWorker::Written what, const QString& file) {
        const QFileInfo info(file);
        save_folder_ = info.absolutePath();
        messages_->showPassing(topicOf(what), tr("Saved %1").arg(info.fileName()),
                               tr("In the folder %1").arg(QDir::toNativeSeparators(save_folder_)));
        Q_EMIT saveFolderChanged(save_folder_);
    });
    connect(&state_.files, &FileWorker::notWritten, this,
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
    const QString folder = state_.saved.file().isEmpty() ? saveFolder() : QFileInfo(state_.saved.file()).path();
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
    const QString name = QString::fromStdString(slug(state_.controller.draft()->experiment().name, 60));
    auto* dialog = new QFileDialog(window_, tr("Save experiment"), saveFolder(), tr("Experiments (*.toml)"));
    dialog->setObjectName("saveDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix("toml");
    dialog->selectFile(state_.saved.file().isEmpty() ? name + ".toml" : state_.saved.file());
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        written_ = state_.controller.draft()->experiment();
        state_.files.save(written_, file);
    });
    dialog->show();
}

}  // namespace palimpsest
