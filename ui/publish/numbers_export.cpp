// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/numbers_export.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileDialog>
#include <QUrl>

#include "engine/report/export_runs.h"
#include "engine/support/text.h"
#include "ui/state/history_store.h"
#include "ui/state/key_names.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

const QString kNumbersTopic = QStringLiteral("exported numbers");

struct NumbersFormat {
    const char* word;     ///< of exportFormats()
    const char* folder;   ///< in the chosen one, which may hold other things
    const char* command;  ///< that shows it, before the folder
    const char* program;
};

NumbersFormat formatOf(NumbersExport::Format format) {
    return format == NumbersExport::Format::TensorBoard
               ? NumbersFormat{"tensorboard", "tensorboard", "tensorboard --logdir", "TensorBoard"}
               : NumbersFormat{"mlflow", "mlruns", "mlflow ui --backend-store-uri", "MLflow"};
}

}  // namespace

NumbersExport::NumbersExport(WindowState& state, MessageBar* messages, QWidget* window)
    : QObject(window), state_(state), messages_(messages), window_(window) {}

QStringList NumbersExport::runs() const {
    QStringList runs;
    for (const ShownRun* run : state_.figures.runs.visibleRuns())
        if (HistoryStore::hasFolder(run->id)) runs.append(run->id);
    return runs;
}

void NumbersExport::askWhereTo(Format format, const QString& folder) {
    const QStringList shown = runs();
    if (shown.isEmpty()) {
        messages_->showLatest(MessageBar::Kind::Note, kNumbersTopic, tr("There is no run to export."),
                              KeyNames::instance().filled(
                                  tr("Press {startRun} to start one, or show one of the list below the curves.")));
        return;
    }
    const NumbersFormat to = formatOf(format);
    auto* dialog = new QFileDialog(
        window_, tr("Choose a folder to export for %1 to; “%2” is made in it").arg(to.program, to.folder), folder);
    dialog->setObjectName("exportNumbersDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptOpen);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    dialog->setLabelText(QFileDialog::Accept, tr("Export"));
    connect(dialog, &QFileDialog::fileSelected, this,
            [this, format, shown](const QString& chosen) { write(format, shown, chosen); });
    dialog->show();
}

void NumbersExport::write(Format format, const QStringList& runs, const QString& folder) {
    const NumbersFormat to = formatOf(format);
    // The folder itself, where it is the one of an earlier export.
    const QString out = QDir(folder).dirName() == QLatin1String(to.folder) ? folder : QDir(folder).filePath(to.folder);
    messages_->showLatest(MessageBar::Kind::Info, kNumbersTopic, tr("Writing for %1 …").arg(to.program));
    ExportRequest request;
    for (const QString& run : runs) request.inputs.emplace_back(run.toStdString());
    request.out = out.toStdString();
    request.format = to.word;
    struct Written {
        std::size_t count = 0;
        std::vector<std::string> left_out;
    };
    background_.run(
        [table = &state_.table, request] {
            Written written;
            written.count = exportRuns(*table, request, &written.left_out).size();
            return written;
        },
        [this, to, out](const Written& written) {
            const std::size_t count = written.count;
            // The first of them; what else is wrong with a file is seldom of another kind.
            const QString left_out =
                written.left_out.empty()
                    ? QString()
                    : ' ' + tr("Left out, of %1: %2")
                                .arg(written.left_out.size())
                                .arg(QString::fromStdString(plainSentence(written.left_out.front())));
            const QString runs_written = count == 1 ? tr("Saved a run for %1").arg(to.program)
                                                    : tr("Saved %1 runs for %2").arg(count).arg(to.program);
            messages_->showLatest(
                MessageBar::Kind::Done, kNumbersTopic, runs_written,
                tr("In the folder %1. To see them: %2 %3")
                        .arg(QDir::toNativeSeparators(out), to.command,
                             QString::fromStdString(shellQuoted(QDir::toNativeSeparators(out).toStdString()))) +
                    left_out,
                {{tr("Open"), [out] { QDesktopServices::openUrl(QUrl::fromLocalFile(out)); }, true}});
        },
        [this](const Failure& failure) {
            messages_->showLatest(MessageBar::Kind::Error, kNumbersTopic, failure.message, failure.hint);
        });
}

}  // namespace palimpsest
