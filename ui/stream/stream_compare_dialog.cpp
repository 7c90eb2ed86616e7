// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_compare_dialog.h"

#include <QAbstractItemView>
#include <QButtonGroup>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/state/file_worker.h"
#include "ui/state/run_library.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kPictureHeight = 190;

QString titleOf(const PlannedStream& stream) {
    const QString edited = stream.plan.moved > 0 ? StreamPanel::tr(", edited") : QString();
    return StreamPanel::tr("%1, seed %2%3")
        .arg(QString::fromStdString(stream.experiment.name))
        .arg(stream.experiment.seed)
        .arg(edited);
}

QString joined(const QString& message, const QString& hint) {
    return hint.isEmpty() ? message : message + ' ' + hint;
}

using spacing::kGap;
constexpr int kRowHeight = 24;
/// Newest first; older ones are opened by their folder.
constexpr std::size_t kMostRuns = 100;

}  // namespace

StreamPanel::StreamPanel(const QString& name, const QString& letter, QWidget* parent)
    : QFrame(parent),
      letter_(letter),
      title_(makeLabel({}, text_size::kText, QFont::DemiBold, false)),
      preview_(new StreamPreview) {
    setProperty("panel", true);
    title_->setObjectName(name + "StreamTitle");
    // Gives way before the dialog would have to grow.
    title_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    preview_->setObjectName(name + "StreamPreview");
    fitToText(preview_, [this] { preview_->setFixedHeight(scaled(kPictureHeight)); });
    auto* inside = new QVBoxLayout(this);
    inside->setContentsMargins(spacing::kGap, 8, spacing::kGap, 8);
    inside->setSpacing(8);
    inside->addWidget(title_);
    inside->addWidget(preview_);
}

void StreamPanel::setStream(const std::shared_ptr<const PlannedStream>& stream) {
    preview_->setStream(stream);
    title_->setText(stream ? tr("%1: %2").arg(letter_, titleOf(*stream)) : letter_);
}

StreamCompareDialog::StreamCompareDialog(StreamPlanner::Labels labels, RunLibrary* library, QWidget* parent)
    : QDialog(parent),
      library_(library),
      files_(new FileWorker(&library->table(), this)),
      planner_(new StreamPlanner(std::move(labels), this)),
      chooser_(new QComboBox),
      a_(new StreamPanel("first", tr("A"))),
      b_(new StreamPanel("second", tr("B"))),
      sentence_(makeLabel({}, text_size::kText, QFont::Normal, false)),
      view_(new QTableView),
      model_(new StreamTableModel(this)),
      alone_(tr("Choose a stream to compare with")) {
    setObjectName("streamCompareDialog");
    setWindowTitle(tr("Compare streams"));
    setModal(false);
    resize(900, 640);

    chooser_->setObjectName("compareChooser");
    chooser_->setAccessibleName(tr("Compare with"));
    chooser_->setToolTip(tr("A preset or a run whose stream is shown beside this one"));
    chooser_->setItemDelegate(new QStyledItemDelegate(chooser_));
    chooser_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    chooser_->setMinimumContentsLength(36);
    auto* title = makeLabel(tr("Compare with"), text_size::kText, QFont::Normal, true);
    title->setBuddy(chooser_);
    auto* file = makeLink("chooseStreamFile", tr("Choose a file …"), tr("An experiment, or an index list (.json)"));
    withIcon(file, "open", &Theme::quiet);
    connect(file, &QToolButton::clicked, this, &StreamCompareDialog::chooseFile);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    head->addWidget(title);
    head->addWidget(chooser_);
    head->addWidget(file);
    head->addStretch(1);

    auto* sides = new QHBoxLayout;
    sides->setSpacing(kGap);
    sides->addWidget(a_, 1);
    sides->addWidget(b_, 1);
    b_->preview()->setEmptyText(alone_);

    sentence_->setObjectName("compareSentence");
    sentence_->setAccessibleName(tr("Result of the comparison"));
    sentence_->setWordWrap(true);
    sentence_->setTextInteractionFlags(Qt::TextSelectableByMouse);

    view_->setObjectName("streamTable");
    view_->setAccessibleName(tr("The streams in numbers"));
    view_->setToolTip(tr("Select rows and copy them with Ctrl+C; without a selection all are copied"));
    view_->setModel(model_);
    view_->setFrameShape(QFrame::NoFrame);
    view_->setShowGrid(false);
    view_->verticalHeader()->hide();
    fitToText(view_, [this] { view_->verticalHeader()->setDefaultSectionSize(scaled(kRowHeight)); });
    view_->horizontalHeader()->setHighlightSections(false);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setTabKeyNavigation(false);
    auto* shortcut = new QShortcut(QKeySequence::Copy, view_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(shortcut, &QShortcut::activated, this, &StreamCompareDialog::copy);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addLayout(head);
    column->addLayout(sides);
    column->addWidget(sentence_);
    column->addWidget(makeTableHeader());
    column->addWidget(view_, 1);

    connect(chooser_, &QComboBox::activated, this,
            [this](int index) { compareWith(chooser_->itemData(index).toString()); });
    connect(files_, &FileWorker::presetsFound, this, [this](const std::vector<Preset>& presets) {
        presets_ = presets;
        fillChooser();
    });
    connect(files_, &FileWorker::experimentRead, this, &StreamCompareDialog::planSecond);
    connect(files_, &FileWorker::runRead, this,
            [this](const std::shared_ptr<const RunRecord>& run) { planSecond(run->experiment); });
    connect(files_, &FileWorker::failed, this, &StreamCompareDialog::noPresets);
    connect(files_, &FileWorker::openFailed, this, &StreamCompareDialog::showFailure);
    connect(files_, &FileWorker::resultsFound, this, [this] {
        showFailure(tr("Results of another program have no stream to compare with."),
                    tr("Choose an experiment (.toml) or an index list (.json)."));
    });
    connect(planner_, &StreamPlanner::planned, this, [this](const auto& stream) {
        // Something else was chosen, or failed, while it was planned.
        if (awaited_) setSecond(stream);
    });
    connect(planner_, &StreamPlanner::failed, this, &StreamCompareDialog::showFailure);
    connect(library_, &RunLibrary::changed, this, &StreamCompareDialog::fillChooser);
    fillChooser();
    files_->findPresets();
}

QWidget* StreamCompareDialog::makeTableHeader() {
    auto* header = new QWidget;
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    by_session_ = makeLink("tableBySession", tr("Sessions"), tr("A row a session"));
    by_class_ = makeLink("tableByClass", tr("Classes"), tr("A row a class: when it comes"));
    auto* group = new QButtonGroup(header);
    for (QToolButton* button : {by_session_, by_class_}) {
        button->setCheckable(true);
        button->setProperty("tab", true);
        group->addButton(button);
        row->addWidget(button);
        connect(button, &QToolButton::toggled, this, [this](bool on) {
            if (on) showTable();
        });
    }
    row->addStretch(1);
    auto* copy = makeLink("copyStreamTable", tr("Copy table"), tr("Copy the rows for a spreadsheet"));
    withIcon(copy, "copy", &Theme::quiet);
    connect(copy, &QToolButton::clicked, this, &StreamCompareDialog::copy);
    row->addWidget(copy);
    by_session_->setChecked(true);
    return header;
}

void StreamCompareDialog::fillChooser() {
    if (chooser_->view()->isVisible()) return;
    chooser_->clear();
    chooser_->addItem(tr("nothing"), QString());
    // Those of a group have the stream of the first.
    for (const Preset& preset : presets_)
        if (!preset.grouped())
            chooser_->addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.name));
    const auto& runs = library_->records();
    if (!runs.empty()) chooser_->insertSeparator(chooser_->count());
    for (std::size_t i = 0; i < std::min(runs.size(), kMostRuns); ++i)
        chooser_->addItem(tr("%1, seed %2, run of %3")
                              .arg(QString::fromStdString(runs[i]->experiment.name))
                              .arg(runs[i]->experiment.seed)
                              .arg(QString::fromStdString(runs[i]->started).left(16).replace('T', ' ')),
                          QString::fromStdString(runs[i]->folder.string()));
    choose(chosen_);
}

/// Shows what is compared with, also when it stands in no list.
void StreamCompareDialog::choose(const QString& what) {
    if (chooser_->findData(what) < 0) chooser_->addItem(QFileInfo(what).fileName(), what);
    chooser_->setCurrentIndex(chooser_->findData(what));
}

void StreamCompareDialog::chooseFile() {
    auto* dialog =
        new QFileDialog(this, tr("Compare with"), QString(), tr("Experiments and index lists (*.toml *.json)"));
    dialog->setObjectName("compareFileDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &StreamCompareDialog::compareWith);
    dialog->show();
}

void StreamCompareDialog::setFirst(std::shared_ptr<const PlannedStream> stream) {
    first_ = std::move(stream);
    a_->setStream(first_);
    a_->preview()->setEmptyText(tr("No stream with these settings"));
    compute();
}

void StreamCompareDialog::compareWith(const QString& what) {
    chosen_ = what;
    awaited_ = !what.isEmpty();
    choose(what);
    setSecond(nullptr);
    if (what.isEmpty()) return;
    b_->preview()->setEmptyText(tr("Planning …"));
    if (!what.endsWith(".json")) return files_->open(what);
    if (!first_) return showFailure(tr("An index list needs a stream to compare it with."), {});
    Experiment experiment = first_->experiment;
    experiment.name = QFileInfo(what).fileName().toStdString();
    experiment.stream.partition = "imported";
    experiment.stream.index_list = what.toStdString();
    experiment.stream.edits.clear();  // those of the first stream
    planSecond(experiment);
}

void StreamCompareDialog::planSecond(const Experiment& experiment) {
    if (awaited_) planner_->request(experiment);
}

void StreamCompareDialog::setSecond(std::shared_ptr<const PlannedStream> stream) {
    second_ = std::move(stream);
    b_->setStream(second_);
    b_->preview()->setEmptyText(alone_);
    compute();
}

void StreamCompareDialog::noPresets(const QString& message, const QString& hint) {
    alone_ = joined(message, hint);
    // What was chosen meanwhile goes on.
    if (chosen_.isEmpty()) b_->preview()->setEmptyText(alone_);
}

void StreamCompareDialog::showFailure(const QString& message, const QString& hint) {
    awaited_ = false;
    setSecond(nullptr);
    b_->preview()->setEmptyText(joined(message, hint));
}

void StreamCompareDialog::compute() {
    background_.cancelNewest();
    if (!first_) return display({});
    background_.runNewest([first = first_, second = second_] { return numbersOf(*first, second.get()); },
                          [this](const StreamNumbers& numbers) { display(numbers); });
}

void StreamCompareDialog::display(const StreamNumbers& numbers) {
    numbers_ = numbers;
    if (!first_)
        sentence_->setText({});
    else if (!numbers_.comparison)
        sentence_->setText(balanceText(first_->statistics));
    else
        sentence_->setText(QString::fromStdString(sentenceOf(*numbers_.comparison)));
    sentence_->setToolTip(numbers_.comparison ? tr("Fingerprints: %1 and %2")
                                                    .arg(QString::fromStdString(numbers_.comparison->first),
                                                         QString::fromStdString(numbers_.comparison->second))
                                              : balanceHelp());
    showTable();
}

void StreamCompareDialog::showTable() {
    model_->setTable(by_class_->isChecked() ? numbers_.classes : numbers_.sessions);
    // One cell a column: measuring a thousand rows would hold the window up.
    for (int column = 0; column < model_->columnCount(); ++column)
        view_->setColumnWidth(column, std::max(view_->horizontalHeader()->sectionSizeHint(column),
                                               view_->sizeHintForIndex(model_->longestCell(column)).width()));
}

void StreamCompareDialog::copy() {
    QList<int> rows;
    for (const QModelIndex& index : view_->selectionModel()->selectedRows()) rows << index.row();
    std::sort(rows.begin(), rows.end());
    QGuiApplication::clipboard()->setText(model_->text(rows));
}

}  // namespace palimpsest
