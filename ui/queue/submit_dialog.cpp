// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/submit_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <string>

#include "engine/support/format.h"
#include "engine/support/text.h"
#include "engine/sweep/sweep_grid.h"
#include "ui/state/engine_text.h"
#include "ui/state/remote_address.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kSubmitWidth = 560;
constexpr int kMostPerTask = 1024;
/// Folder of sweeps on the other machine, where the user names none.
constexpr const char* kSweepsThere = "~/palimpsest-sweeps";

/// Places of the entries.
enum Where { kHere, kThere };

/// "--partition=gpu", with quotes where the value needs them; empty without a value.
std::string optionWord(const char* name, const QLineEdit* field) {
    const std::string value = field->text().trimmed().toStdString();
    if (value.empty()) return {};
    return std::string(name) + "=" + shellWord(value) + " ";
}

/// Place of the folder in the entries that are remembered.
constexpr int kFolderField = 10;

}  // namespace

SubmitDialog::SubmitDialog(QWidget* parent)
    : QDialog(parent),
      form_(new QFormLayout),
      where_(new QComboBox),
      count_(makeTextLabel(text_size::kText, QFont::DemiBold, false)),
      fault_(makeTextLabel(text_size::kText, QFont::Normal, false)),
      submit_(makeButton("submitStart", tr("Submit"), tr("Write the grid, and give its runs to Slurm"))) {
    setObjectName("submitDialog");
    setWindowTitle(tr("Submit to Slurm"));
    auto* explanation = makeTextLabel(text_size::kText, QFont::Normal, true);
    explanation->setText(
        tr("Slurm runs each task when its turn comes, also when this window is closed. Another machine is reached by "
           "your own ssh, with your settings and keys; no password is asked for."));
    count_->setObjectName("submitCount");
    fault_->setObjectName("submitFault");
    fault_->setAccessibleName(tr("What is wrong"));
    markWrong(fault_, true);
    keepLines(fault_, 2);
    where_->setObjectName("submitWhere");
    where_->setAccessibleName(tr("Slurm of"));
    where_->setToolTip(tr("The machine whose Slurm gets the runs"));
    where_->addItems({tr("This computer"), tr("A machine that you reach by ssh")});
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form_->addRow(tr("&Slurm of"), where_);
    machine_ = addField("submitMachine", tr("Mac&hine"), tr("user@host or ssh://user@host:port/folder"),
                        tr("A machine that jobs are submitted from, by a name or address as ssh takes it"));
    folder_ = addField("submitFolder", tr("&Folder of sweeps there"), QLatin1String(kSweepsThere),
                       tr("The sweep gets a new folder in it"));
    program_ = addField("submitProgram", tr("Pro&gram there"), tr("palimpsest-cli, found by itself"),
                        tr("Path of palimpsest-cli on that machine, if it is not where programs usually are"));
    partition_ = addField("submitPartition", tr("&Partition"), tr("the cluster's usual one"),
                          tr("Part of the cluster, as in sbatch --partition; sinfo lists them"));
    time_ = addField("submitTime", tr("&Time of a task"), tr("2:00:00, or the cluster's usual one"),
                     tr("Limit of a task, as in sbatch --time; one that runs out of it goes on later"));
    memory_ = addField("submitMemory", tr("&Memory of a task"), tr("4G, or the cluster's usual one"),
                       tr("Memory of a task, as in sbatch --mem"));
    constraint_ =
        addField("submitConstraint", tr("&Constraint"), tr("any machine"),
                 tr("Features that the machines must have, as in sbatch --constraint, such as one model of processor"));
    more_ = addField("submitMore", tr("Other &options"), tr("--gres=gpu:1 --account=mine"),
                     tr("Any other options of sbatch, as in a terminal; the sweep sets --array itself"));
    throttle_ = addNumber("submitThrottle", tr("Tasks at o&nce"), tr("At most so many tasks run at the same time"), 0,
                          static_cast<int>(kMostSweepRuns));
    throttle_->setSpecialValueText(tr("as many as the cluster gives"));
    runs_per_task_ =
        addNumber("submitRunsPerTask", tr("&Runs a task"),
                  tr("So many runs go on at once in a task and share its processors or its GPU"), 1, kMostPerTask);
    auto* cancel = makeButton("submitCancel", tr("Cancel"), tr("Submit nothing"));
    submit_->setProperty("primary", true);
    auto* buttons = new QDialogButtonBox;
    buttons->addButton(submit_, QDialogButtonBox::AcceptRole);
    buttons->addButton(cancel, QDialogButtonBox::RejectRole);
    submit_->setDefault(true);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(spacing::kRow);
    column->addWidget(explanation);
    column->addLayout(form_);
    column->addWidget(count_);
    column->addWidget(fault_);
    column->addStretch(1);
    column->addWidget(buttons);
    fitToText(this, [this] { setMinimumWidth(scaled(kSubmitWidth)); });
    connect(where_, &QComboBox::currentIndexChanged, this, &SubmitDialog::refresh);
    connect(where_, &QComboBox::activated, this, [this](int where) {
        if (where == kThere && machine_->text().isEmpty()) machine_->setFocus();
    });
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(submit_, &QPushButton::clicked, this, [this] {
        setBusy(true);
        Q_EMIT submitAsked();
    });
    refresh();
}

QLineEdit* SubmitDialog::addField(const char* name, const QString& title, const QString& example, const QString& tip) {
    auto* field = new QLineEdit;
    field->setObjectName(name);
    field->setAccessibleName(QString(title).remove('&'));
    field->setPlaceholderText(example);
    field->setToolTip(tip);
    field->setMaxLength(2000);
    form_->addRow(title, field);
    connect(field, &QLineEdit::textChanged, this, &SubmitDialog::refresh);
    return field;
}

QSpinBox* SubmitDialog::addNumber(const char* name, const QString& title, const QString& tip, int least, int most) {
    auto* box = new QSpinBox;
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    box->setObjectName(name);
    box->setAccessibleName(QString(title).remove('&'));
    box->setToolTip(tip);
    box->setRange(least, most);
    // Begins and ends where the other fields do, with room for words in place of a number.
    box->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    guardWheel(box);
    form_->addRow(title, box);
    connect(box, &QSpinBox::valueChanged, this, &SubmitDialog::refresh);
    return box;
}

void SubmitDialog::ask(std::int64_t runs, const QString& name) {
    runs_ = runs;
    name_ = name;
    refresh();
    if (!busy_) {
        firstField()->selectAll();
        firstField()->setFocus();
    }
    open();
    growToContent(this);
}

void SubmitDialog::setFields(const QStringList& fields) {
    where_->setCurrentIndex(fields.value(0) == QLatin1String("there") ? kThere : kHere);
    // Earlier versions kept machine and folder in one.
    const auto [machine, folder] = machineAndFolder(fields.value(1), fields.value(kFolderField));
    machine_->setText(machine);
    folder_->setText(folder);
    int at = 2;
    for (QLineEdit* field : {program_, partition_, time_, memory_, constraint_, more_})
        field->setText(fields.value(at++));
    throttle_->setValue(fields.value(at).toInt());
    runs_per_task_->setValue(std::max(1, fields.value(at + 1).toInt()));
}

QStringList SubmitDialog::fields() const {
    QStringList fields{where_->currentIndex() == kThere ? QStringLiteral("there") : QStringLiteral("here")};
    for (const QLineEdit* field : {machine_, program_, partition_, time_, memory_, constraint_, more_})
        fields.append(field->text().trimmed());
    return fields << QString::number(throttle_->value()) << QString::number(runs_per_task_->value())
                  << folder_->text().trimmed();
}

ClusterRequest SubmitDialog::request() const {
    ClusterRequest request;
    if (where_->currentIndex() == kThere) {
        auto [machine, folder] = machineAndFolder(machine_->text().trimmed(), folder_->text().trimmed());
        if (folder.isEmpty()) folder = QLatin1String(kSweepsThere);
        request.place = placeBelow(remoteAddress(machine, folder).toStdString(), name_.toStdString());
        request.program = program_->text().trimmed().toStdString();
    }
    request.slurm.options = optionWord("--partition", partition_) + optionWord("--time", time_) +
                            optionWord("--mem", memory_) + optionWord("--constraint", constraint_) +
                            more_->text().trimmed().toStdString();
    while (request.slurm.options.ends_with(' ')) request.slurm.options.pop_back();
    request.slurm.throttle = throttle_->value();
    request.slurm.runs_per_task = runs_per_task_->value();
    return request;
}

void SubmitDialog::fail(const Failure& failure) {
    setBusy(false);
    fault_->setText(withOptionTitles(oneText(failure)));
    fault_->show();
    show();
    growToContent(this);
    // While it was busy the fields took no input, and the focus went to Cancel.
    firstField()->setFocus();
}

QLineEdit* SubmitDialog::firstField() const {
    return where_->currentIndex() == kThere ? machine_ : partition_;
}

void SubmitDialog::finish() {
    setBusy(false);
    accept();
}

void SubmitDialog::setBusy(bool busy) {
    busy_ = busy;
    for (int row = 0; row < form_->rowCount(); ++row)
        form_->itemAt(row, QFormLayout::FieldRole)->widget()->setEnabled(!busy);
    submit_->setText(busy ? tr("Submitting …") : tr("Submit"));
    refresh();
}

void SubmitDialog::refresh() {
    const bool there = where_->currentIndex() == kThere;
    for (QLineEdit* field : {machine_, folder_, program_}) form_->setRowVisible(field, there);
    const ClusterRequest request = this->request();
    const QString machine = machineAndFolder(machine_->text().trimmed(), folder_->text().trimmed()).first;
    const bool empty = there && machine.isEmpty();
    std::optional<Failure> problem = problemOf(request);
    if (there && machine.contains('/'))
        problem = Failure{tr("The folder is named twice."), tr("Leave it to one of the two fields.")};
    const std::int64_t per_task = runs_per_task_->value(), tasks = (runs_ + per_task - 1) / per_task;
    count_->setText(
        tr("%1, as %2 of an array job%3%4")
            .arg(QString::fromStdString(counted(runs_, "run", "runs")),
                 QString::fromStdString(counted(tasks, "task", "tasks")),
                 there && !problem && !empty ? tr(", in %1").arg(QString::fromStdString(request.place)) : QString(),
                 empty ? tr(". Name the machine to submit them.") : QString()));
    fault_->setText(problem && !busy_ && !empty ? withOptionTitles(oneText(*problem)) : QString());
    fault_->setVisible(!fault_->text().isEmpty());
    submit_->setEnabled(!busy_ && !empty && !problem && runs_ > 0);
    growToContent(this);
}

}  // namespace palimpsest
