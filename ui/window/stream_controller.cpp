// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/stream_controller.h"

#include <QFileDialog>

#include "engine/stream/stream_export.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/window_state.h"
#include "ui/stream/stream_compare_dialog.h"
#include "ui/stream/stream_preview.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {

StreamController::StreamController(WindowState& state, ExperimentPanel* panel, MessageBar* messages, QWidget* window)
    : state_(state), panel_(panel), messages_(messages), window_(window) {
    connect(panel_, &ExperimentPanel::compareRequested, this, &StreamController::compare);
}

void StreamController::compare() {
    if (!dialog_) {
        dialog_ = new StreamCompareDialog(state_.laboratory.labels, &state_.library, window_);
        dialog_->setFirst(panel_->preview()->stream());
        connect(panel_, &ExperimentPanel::streamShown, dialog_, &StreamCompareDialog::setFirst);
    }
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void StreamController::askWhereToExport(const QString& folder) {
    const std::shared_ptr<const PlannedStream> stream = panel_->preview()->stream();
    if (!stream) {
        messages_->showMessage(MessageBar::Kind::Error, tr("There is no stream to export."),
                               tr("Correct the settings of the stream first."));
        return;
    }
    auto* dialog = new QFileDialog(window_, tr("Export stream"), folder);
    dialog->setObjectName("exportStreamDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters(
        {tr("Index list (*.json)"), tr("A line an image (*.csv)"), tr("Text with statistics (*.txt)")});
    dialog->setDefaultSuffix("json");
    dialog->selectFile(QString::fromStdString(slug(stream->experiment.name, 50) + "-stream"));
    connect(dialog, &QFileDialog::filterSelected, dialog,
            [dialog](const QString& filter) { dialog->setDefaultSuffix(filter.section("*.", 1).chopped(1)); });
    connect(dialog, &QFileDialog::fileSelected, this, [this, stream](const QString& file) { exportTo(stream, file); });
    dialog->show();
}

void StreamController::exportTo(const std::shared_ptr<const PlannedStream>& stream, const QString& file) {
    state_.files.write(FileWorker::Written::Stream, file, [stream, file = file.toStdString()] {
        std::vector<std::string> warnings;
        for (const QString& warning : stream->warnings) warnings.push_back(warning.toStdString());
        const StreamFormat format = streamFormatOf(file);
        replaceTextFile(file,
                        formatStream({stream->plan, stream->labels->train, stream->labels->class_names,
                                      std::move(warnings), format == StreamFormat::Text},
                                     format),
                        Keep::OnDiskWithName);
    });
}

}  // namespace palimpsest
