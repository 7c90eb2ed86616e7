// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/replay_export.h"

#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "engine/report/replay_page.h"
#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "ui/state/history_store.h"
#include "ui/state/key_names.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

const QString kReplayTopic = QStringLiteral("replay page");

}  // namespace

ReplayExport::ReplayExport(WindowState& state, MessageBar* messages, QWidget* window)
    : QObject(window), state_(state), messages_(messages), window_(window) {}

ReplayExport::~ReplayExport() {
    stop_.request_stop();
}

QStringList ReplayExport::runs() const {
    const RunSet& shown = state_.figures.runs;
    const ShownRun* chosen = shown.baseline().size() == 1 ? shown.find(shown.baseline().front()) : nullptr;
    const ShownRun* beside = chosen && chosen != shown.selected() ? chosen : shown.compared();
    QStringList runs;
    for (const ShownRun* run : {shown.selected(), beside})
        if (run && HistoryStore::hasFolder(run->id)) runs.append(run->id);
    return runs;
}

void ReplayExport::askWhereTo(const QString& folder) {
    const QStringList shown = runs();
    if (shown.isEmpty()) {
        messages_->showLatest(MessageBar::Kind::Note, kReplayTopic, tr("There is no run to export."),
                              KeyNames::instance().filled(
                                  tr("Press {startRun} to start one, or show one of the list below the curves.")));
        return;
    }
    QStringList names;
    for (const QString& run : shown) names.append(tr("“%1”").arg(state_.figures.runs.label(run)));
    auto* dialog = new QFileDialog(window_, tr("Export replay of %1").arg(names.join(tr(" and "))), folder);
    dialog->setObjectName("exportReplayDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Page for a browser (*.html)")});
    dialog->setDefaultSuffix("html");
    const std::string name = state_.figures.runs.find(shown.front())->facts->experiment.name;
    dialog->selectFile(QString::fromStdString(slug(name, 50) + "-replay"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, shown](const QString& file) { write(shown, file); });
    dialog->show();
}

void ReplayExport::write(const QStringList& runs, const QString& file) {
    messages_->showLatest(MessageBar::Kind::Info, kReplayTopic, tr("Making the page …"),
                          tr("Pictures of the stream are read where its data set is on this computer."));
    report::ReplaySettings settings;
    settings.moment = state_.figures.cursor.pinned();
    settings.story = state_.figures.options.values().story;
    settings.stream = state_.laboratory.replay_stream;
    background_.run(
        [table = &state_.table, settings, runs, file = file.toStdString(), stop = stop_.get_token()] {
            const StopScope scope(stop);
            std::vector<std::filesystem::path> folders;
            for (const QString& run : runs) folders.emplace_back(run.toStdString());
            std::vector<std::string> unread;
            replaceTextFile(file, report::replayPage(*table, folders, settings, &unread), Keep::OnDiskWithName);
            return unread;
        },
        [this, file](const std::vector<std::string>& unread) {
            const QFileInfo info(file);
            QList<MessageBar::Action> actions{
                {tr("Open"), [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); }, true}};
            messages_->showLatest(
                unread.empty() ? MessageBar::Kind::Done : MessageBar::Kind::Note, kReplayTopic,
                tr("Saved %1, %2").arg(info.fileName(), window_->locale().formattedDataSize(info.size())),
                unread.empty() ? tr("One file that any browser plays, without a network.")
                               : QString::fromStdString(unread.front()),
                actions);
        },
        [this](const Failure& failure) {
            messages_->showLatest(MessageBar::Kind::Error, kReplayTopic, failure.message, failure.hint);
        });
}

}  // namespace palimpsest
