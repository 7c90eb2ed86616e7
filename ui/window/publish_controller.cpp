// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/publish_controller.h"

#include <QAction>
#include <QFileInfo>

#include "engine/support/file_io.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/publish/publish_dialog.h"
#include "ui/state/key_names.h"
#include "ui/state/window_state.h"
#include "ui/window/curves_view.h"
#include "ui/window/file_dialogs.h"
#include "ui/window/main_menus.h"

namespace palimpsest {
namespace {

/// Ids of runs without a folder are no paths.
bool hasFolder(const ShownRun& run) {
    return run.id.contains('/');
}

}  // namespace

PublishController::PublishController(const OptionTable* table, FigureState& figures, FileWorker* files, QWidget* window)
    : table_(table), figures_(figures), files_(files), window_(window) {
    connect(files_, &FileWorker::written, this, [this](FileWorker::Written what, const QString& file) {
        if (dialog_ && what == FileWorker::Written::Figure)
            dialog_->showStatus(tr("Saved %1").arg(QFileInfo(file).fileName()));
    });
    connect(files_, &FileWorker::notWritten, this,
            [this](FileWorker::Written what, const QString& message, const QString& hint) {
                if (dialog_ && what == FileWorker::Written::Figure) dialog_->showStatus(message + ' ' + hint);
            });
}

PublishDialog* PublishController::dialog(const QString& folder) {
    if (!dialog_) {
        dialog_ = new PublishDialog(window_);
        connect(dialog_, &PublishDialog::runChosen, this, [this](const QString& id, const QString& wanted) {
            if (id.isEmpty())
                publishRuns(wanted, dialog_->folder());
            else
                publishRun(id, wanted, at_, dialog_->folder());
        });
        connect(dialog_, &PublishDialog::saveAsked, this, [this](const QString& file, const QByteArray& bytes) {
            files_->write(FileWorker::Written::Figure, file, [file = file.toStdString(), bytes] {
                replaceTextFile(file, {bytes.data(), static_cast<std::size_t>(bytes.size())});
            });
        });
    }
    dialog_->setFolder(folder);
    return dialog_;
}

QList<NamedRun> PublishController::publishable() const {
    QList<NamedRun> runs;
    for (const ShownRun* run : figures_.runs.visibleRuns())
        if (hasFolder(*run)) runs.push_back({run->id, figures_.runs.label(run->id)});
    return runs;
}

void PublishController::answer(const MainMenus* menus, const CurvesView* curves, const AdaptationController* adaptation,
                               const FileDialogs* asks) {
    connect(menus->action(Command::ExportFigure), &QAction::triggered, this, [this, curves, asks] {
        const ShownRun* run = figures_.runs.selected();
        dialog(asks->saveFolder())->preferAnimation(false);
        auto source = curves->source();
        if (!source)
            publishRuns(curves->publishedAs(), asks->saveFolder());
        else if (run && hasFolder(*run) && curves->showsOneRun())
            publishRun(run->id, curves->publishedAs(), figures_.cursor.pinned(), asks->saveFolder());
        else
            publish(std::move(source), asks->saveFolder());
    });
    connect(menus->action(Command::ExportAnimation), &QAction::triggered, this,
            [this, curves, asks] { publishAnimation(curves->publishedAs(), asks->saveFolder()); });
    connect(menus->action(Command::ExportTable), &QAction::triggered, this, [this, asks] {
        dialog(asks->saveFolder())->preferAnimation(false);
        publishRuns("metrics", asks->saveFolder());
    });
    connect(adaptation, &AdaptationController::exportAsked, this, [this, asks](const AdaptationLog* log) {
        publish([reports = log->reports(), other = log->hasOther()] { return adaptationPublication(reports, other); },
                asks->saveFolder());
    });
}

void PublishController::publishRuns(const QString& wanted, const QString& folder) {
    QStringList names;
    std::vector<std::filesystem::path> folders;
    const QList<NamedRun> runs = publishable();
    for (const NamedRun& run : runs) {
        names << run.id;
        folders.emplace_back(run.id.toStdString());
    }
    dialog(folder)->offerRuns(runs, {});
    if (folders.empty())
        return dialog(folder)->showNothing(KeyNames::instance().filled(
            tr("There is no run to export. Press {startRun} to start one, or show one of the list below the curves.")));
    const bool story = figures_.options.values().story;
    // What is told of the only run, and of one that is chosen in the dialog, is told of the moment that is looked at.
    at_ = figures_.cursor.pinned();
    const std::optional<std::int64_t> at = folders.size() == 1 ? at_ : std::nullopt;
    dialog(folder)->show(
        [table = table_, folders, at, story] { return report::readPublication(*table, folders, at, story); }, wanted,
        names, at, story);
}

void PublishController::publishAnimation(const QString& wanted, const QString& folder) {
    dialog(folder)->preferAnimation(true);
    const bool grows = wanted.startsWith("anytime") || wanted.startsWith("retention");
    publishRuns(grows ? wanted : "anytime", folder);
}

void PublishController::publishRun(const QString& run, const QString& wanted, std::optional<std::int64_t> at,
                                   const QString& folder) {
    const std::vector<std::filesystem::path> folders{run.toStdString()};
    at_ = at;
    dialog(folder)->offerRuns(publishable(), run);
    const bool story = figures_.options.values().story;
    dialog(folder)->show(
        [table = table_, folders, at, story] { return report::readPublication(*table, folders, at, story); }, wanted,
        {run}, at, story);
}

void PublishController::publish(Publisher::Source source, const QString& folder) {
    dialog(folder)->offerRuns({}, {});
    dialog_->preferAnimation(false);
    dialog_->show(std::move(source), {}, {});
}

}  // namespace palimpsest
