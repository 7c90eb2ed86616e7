// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/diff_dialog.h"

#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/record/run_diff_text.h"
#include "engine/support/stop_scope.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/engine_text.h"
#include "ui/state/run_library.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"

namespace palimpsest {

DiffDialog::DiffDialog(QWidget* parent)
    : QDialog(parent), runs_(new QLabel(this)), verdict_(new QLabel(this)), details_(new QPlainTextEdit(this)) {
    setObjectName(QStringLiteral("diffDialog"));
    setWindowTitle(tr("Why do they differ?"));
    for (QLabel* label : {runs_, verdict_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    runs_->setObjectName(QStringLiteral("diffRuns"));
    runs_->setAccessibleName(tr("The two runs"));
    verdict_->setObjectName(QStringLiteral("diffVerdict"));
    verdict_->setAccessibleName(tr("Verdict"));
    QFont strong = verdict_->font();
    strong.setBold(true);
    verdict_->setFont(strong);
    details_->setObjectName(QStringLiteral("diffDetails"));
    details_->setAccessibleName(tr("What was compared"));
    details_->setToolTip(tr("What was compared, in the order in which it can differ"));
    details_->setReadOnly(true);
    details_->setTabChangesFocus(true);
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = makeButton(QStringLiteral("diffClose"), tr("Close"), tr("Close this comparison"));
    buttons->addButton(close, QDialogButtonBox::RejectRole);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(spacing::kRow);
    layout->addWidget(runs_);
    layout->addWidget(verdict_);
    layout->addWidget(details_, 1);
    layout->addWidget(buttons);
    resize(680, 360);
}

void DiffDialog::setRuns(const QString& first, const QString& second) {
    runs_->setText(tr("First: %1\nSecond: %2").arg(first, second));
    verdict_->setText(tr("Comparing them …"));
    details_->clear();
}

void DiffDialog::setText(const QString& text) {
    QStringList lines = text.split('\n', Qt::SkipEmptyParts);
    verdict_->setText(lines.isEmpty() ? QString() : withOptionTitles(lines.takeLast()));
    for (QString& line : lines) {
        line = withOptionTitles(line);
        line.replace(QStringLiteral(" -> "), QStringLiteral(" → "));
    }
    details_->setPlainText(lines.join('\n'));
}

void DiffDialog::setFailure(const QString& message, const QString& hint) {
    verdict_->setText(message);
    details_->setPlainText(hint);
}

DiffController::DiffController(Labels labels, RunLibrary* library, RunsPanel* runs, QWidget* window)
    : QObject(window), labels_(std::move(labels)), library_(library), window_(window) {
    connect(runs->actions(), &RunActions::diffRequested, this, &DiffController::show);
}

DiffController::~DiffController() {
    stop_.request_stop();
    delete dialog_;
}

void DiffController::show(const QString& first, const QString& second) {
    const RunRowPtr one = library_->row(first), other = library_->row(second);
    if (!one || !other) return;
    if (!dialog_) dialog_ = new DiffDialog(window_);
    const auto named = [](const RunRowPtr& row) {
        return tr("%1, seed %2, %3")
            .arg(QString::fromStdString(row->name))
            .arg(row->seed)
            .arg(QString::fromStdString(row->folder.filename().string()));
    };
    dialog_->setRuns(named(one), named(other));
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
    // Labels of data that nobody asks for any more are not read to their end.
    stop_.request_stop();
    stop_ = std::stop_source();
    background_.runNewest(
        [table = &library_->table(), labels = labels_, first = one->folder, second = other->folder,
         stop = stop_.get_token()] {
            const StopScope scope(stop);
            const RunDifferences found = compareRuns(*table, first, second);
            return differencesText(found, streamsApart(*table, found, first, second, labels));
        },
        [this](const std::string& text) { dialog_->setText(QString::fromStdString(text)); },
        [this](const Failure& failure) { dialog_->setFailure(failure.message, failure.hint); });
}

}  // namespace palimpsest
