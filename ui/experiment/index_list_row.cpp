// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/index_list_row.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/experiment/option_editor.h"
#include "ui/state/experiment_draft.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

constexpr const char* kKey = "stream.index_list";

}  // namespace

IndexListRow::IndexListRow(ExperimentDraft* draft, QWidget* parent)
    : QWidget(parent), draft_(draft), editor_(new OptionEditor(draft, kKey, OptionEditor::Layout::Row)) {
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(editor_, 1);
    auto* button = new QToolButton;
    button->setObjectName("chooseIndexList");
    withIcon(button, "open");
    button->setAccessibleName(tr("Choose the index list"));
    button->setToolTip(tr("Choose the JSON file that holds the sessions"));
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, this, &IndexListRow::choose);
    row->addWidget(button, 0, Qt::AlignTop);
}

void IndexListRow::choose() {
    const QString now = QString::fromStdString(draft_->experiment().stream.index_list);
    auto* dialog = new QFileDialog(this, tr("Choose an index list"), QFileInfo(now).path(), tr("Index lists (*.json)"));
    dialog->setObjectName("indexListDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& file) { draft_->set(kKey, file.toStdString()); });
    dialog->show();
}

}  // namespace palimpsest
