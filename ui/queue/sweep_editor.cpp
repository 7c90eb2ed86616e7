// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/sweep_editor.h"

#include <QCompleter>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "engine/record/run_bytes.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/text.h"
#include "ui/queue/submit_dialog.h"
#include "ui/state/engine_text.h"
#include "ui/state/typed_path.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kEditorWidth = 620;
constexpr auto kMeasuredGrid = "estimate.toml", kMeasuredText = "estimate.txt";

/// "tiny-2" for ".../tiny.toml": neither that folder nor its grid is there.
std::string freeNameBeside(const fs::path& grid) {
    std::error_code ignored;
    for (int number = 2;; ++number) {
        const std::string name = grid.stem().string() + "-" + std::to_string(number);
        const fs::path folder = grid.parent_path() / name;
        if (!fs::exists(fs::symlink_status(folder, ignored)) &&
            !fs::exists(fs::symlink_status(folder.string() + ".toml", ignored)))
            return name;
    }
}

QLineEdit* makeField(const QString& name, const QString& title, const QString& tip) {
    auto* field = new QLineEdit;
    field->setObjectName(name);
    field->setAccessibleName(title);
    field->setToolTip(tip);
    return field;
}

QHBoxLayout* labelled(const QString& text, QLineEdit* field) {
    auto* label = makeLabel(text, text_size::kText, QFont::Normal, false);
    label->setBuddy(field);
    fitToText(label, [label] { label->setFixedWidth(scaled(72)); });
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(field, 1);
    return row;
}

}  // namespace

/// One option with the values it takes.
struct SweepEditor::Row : public QWidget {
    QLineEdit *key, *values;
    QToolButton* remove;
};

SweepEditor::SweepEditor(const OptionTable* table, Places places, QWidget* parent)
    : QDialog(parent),
      table_(table),
      program_(std::move(places.program)),
      papers_(std::move(places.papers)),
      home_(fs::absolute(places.sweeps).lexically_normal()),
      axes_(new QVBoxLayout),
      base_note_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      count_(makeTextLabel(text_size::kText, QFont::DemiBold, false)),
      estimate_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      title_(makeField("sweepName", tr("Title"), tr("Heading of the table; it also names the folder"))),
      seeds_(makeField("sweepSeeds", tr("Seeds"), tr("Each combination is run with each of them: 1-5 or 1-3, 7"))),
      folder_(makeField("sweepFolder", tr("Folder"), tr("Folder of the sweep; its grid lies beside it"))),
      add_(makeButton("sweepAddOption", tr("Add an option"), tr("One more option to vary"))),
      measure_(makeButton("sweepEstimate", tr("Estimate"),
                          tr("Measure a few updates and say what all runs take on this machine; runs nothing"))),
      submit_(makeButton("sweepSubmit", tr("Submit to Slurm …"),
                         tr("Let a cluster run it: the Slurm of this computer, or of one that you reach by ssh"))),
      queue_(makeButton("sweepQueue", tr("Add to queue"), tr("Write the grid, and let the queue run it"))),
      submission_(new SubmitDialog(this)) {
    setObjectName("sweepEditor");
    setWindowTitle(tr("New sweep"));
    base_note_->setObjectName("sweepBase");
    count_->setObjectName("sweepCount");
    estimate_->setObjectName("sweepEstimateText");
    keepLines(count_, 1);
    keepLines(estimate_, 3);
    seeds_->setText(QStringLiteral("1-5"));
    queue_->setProperty("primary", true);
    auto* cancel = makeButton("sweepCancel", tr("Cancel"), tr("Write and queue nothing"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(measure_);
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(submit_);
    buttons->addWidget(queue_);
    auto* more = new QHBoxLayout;
    more->addWidget(add_);
    more->addStretch(1);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(spacing::kRow);
    column->addWidget(base_note_);
    column->addLayout(labelled(tr("&Title"), title_));
    column->addWidget(makeLabel(tr("Options that vary, with the values that each takes in turn"), text_size::kText,
                                QFont::DemiBold, false));
    column->addLayout(axes_);
    column->addLayout(more);
    column->addLayout(labelled(tr("&Seeds"), seeds_));
    column->addLayout(labelled(tr("&Folder"), folder_));
    column->addWidget(count_);
    column->addWidget(estimate_);
    column->addStretch(1);
    column->addLayout(buttons);
    fitToText(this, [this] { setMinimumWidth(scaled(kEditorWidth)); });

    connect(add_, &QPushButton::clicked, this, [this] {
        addRow();
        rows_.constLast()->key->setFocus();
    });
    connect(seeds_, &QLineEdit::textChanged, this, &SweepEditor::refresh);
    connect(title_, &QLineEdit::textEdited, this, [this] { title_typed_ = true; });
    connect(title_, &QLineEdit::textChanged, this, [this] {
        placeFolder();
        refresh();
    });
    connect(folder_, &QLineEdit::textEdited, this, [this] { folder_typed_ = true; });
    connect(folder_, &QLineEdit::textChanged, this, &SweepEditor::refresh);
    connect(folder_, &QLineEdit::editingFinished, this, [this] {
        if (!folder_->text().trimmed().isEmpty()) folder_->setText(QString::fromStdString(folder().string()));
    });
    connect(measure_, &QPushButton::clicked, this, &SweepEditor::measure);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(queue_, &QPushButton::clicked, this, &SweepEditor::accept);
    connect(submit_, &QPushButton::clicked, this, [this] {
        if (grid_) submission_->ask(runsOf(*grid_), QString::fromStdString(folder().filename().string()));
    });
    connect(submission_, &SubmitDialog::submitAsked, this, &SweepEditor::submit);
    addRow(QStringLiteral("mask.name"));
    addRow(QStringLiteral("training.learning_rate"));
}

SweepEditor::~SweepEditor() {
    stopMeasuring();
}

void SweepEditor::addRow(const QString& key) {
    auto* row = new Row;
    const auto number = static_cast<int>(rows_.size()) + 1;
    row->key = makeField(QStringLiteral("sweepKey%1").arg(number), tr("Option %1").arg(number),
                         tr("Key of an option, as in experiment files"));
    row->values = makeField(QStringLiteral("sweepValues%1").arg(number), tr("Values of option %1").arg(number),
                            tr("Apart by commas: 8, 16, 32; by semicolons where a value has commas itself"));
    row->key->setPlaceholderText(tr("option"));
    row->key->setText(key);
    row->remove = new QToolButton;
    row->remove->setObjectName(QStringLiteral("sweepRemove%1").arg(number));
    row->remove->setAccessibleName(tr("Remove option %1").arg(number));
    row->remove->setToolTip(tr("It varies no more"));
    withIcon(row->remove, "close");
    QStringList keys;
    for (const Option& option : table_->options())
        if (option.key != "seed" && option.key != "name") keys.append(QString::fromStdString(option.key));
    auto* known = new QCompleter(keys, row->key);
    known->setFilterMode(Qt::MatchContains);
    known->setCaseSensitivity(Qt::CaseInsensitive);
    row->key->setCompleter(known);
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(row->key, 2);
    line->addWidget(row->values, 3);
    line->addWidget(row->remove);
    axes_->addWidget(row);
    // The keyboard goes through the rows in their place, though they come after the fields below them.
    setTabOrder(rows_.isEmpty() ? static_cast<QWidget*>(title_) : rows_.constLast()->remove, row->key);
    setTabOrder(row->key, row->values);
    setTabOrder(row->values, row->remove);
    rows_.append(row);
    suggest(*row);
    connect(row->key, &QLineEdit::textChanged, this, [this, row] { suggest(*row); });
    connect(row->key, &QLineEdit::textChanged, this, &SweepEditor::refresh);
    connect(row->values, &QLineEdit::textChanged, this, &SweepEditor::refresh);
    connect(row->remove, &QToolButton::clicked, this, [this, row] {
        rows_.removeOne(row);
        row->deleteLater();
        row->hide();
        refresh();
    });
    refresh();
}

void SweepEditor::suggest(const Row& row) const {
    const Option* option = table_->find(row.key->text().trimmed().toStdString());
    QStringList words;
    if (option && option->type == OptionType::Boolean) words = {"false", "true"};
    if (option)
        for (const Choice& choice : option->choices) words.append(QString::fromStdString(choice.value));
    QString text = tr("values, apart by commas");
    if (!words.isEmpty())
        text = tr("such as %1").arg(words.join(QStringLiteral(", ")));
    else if (option)
        text = tr("values, apart by commas; now %1").arg(QString::fromStdString(toText(option->get(base_))));
    row.values->setPlaceholderText(text);
}

void SweepEditor::ask(const Experiment& experiment) {
    // A cancelled dialog leaves its title, which belongs to its experiment; what the user typed stays with that one.
    if (experiment.name != base_.name) title_typed_ = folder_typed_ = false;
    base_ = experiment;
    for (const Row* row : rows_) suggest(*row);
    base_note_->setText(
        tr("Everything else is as in the experiment “%1” now.").arg(QString::fromStdString(experiment.name)));
    if (!title_typed_ || title_->text().isEmpty()) title_->setText(QString::fromStdString(experiment.name));
    placeFolder();
    refresh();
    show();
    growToContent(this);
    raise();
    activateWindow();
}

void SweepEditor::placeFolder() {
    if (folder_typed_) return;
    const std::string name = slug(title_->text().toStdString(), 60);
    folder_->setText(QString::fromStdString((home_ / (name.empty() ? "sweep" : name)).string()));
}

SweepDraft SweepEditor::draft() const {
    SweepDraft draft;
    draft.title = title_->text().trimmed().toStdString();
    draft.base = base_;
    draft.seeds = seeds_->text().toStdString();
    for (const Row* row : rows_) {
        const QString key = row->key->text().trimmed(), values = row->values->text();
        if (!key.isEmpty() || !values.trimmed().isEmpty())
            draft.axes.push_back({key.toStdString(), values.toStdString()});
    }
    return draft;
}

bool SweepEditor::isUntouched() const {
    return !rows_.isEmpty() &&
           std::ranges::all_of(rows_, [](const Row* row) { return row->values->text().trimmed().isEmpty(); });
}

void SweepEditor::refresh() {
    grid_.reset();
    const auto failure = failureOf([this] { grid_ = gridOf(*table_, draft()); });
    if (isUntouched()) {
        count_->clear();
    } else if (failure) {
        count_->setText(oneText(*failure));
    } else {
        const auto runs = static_cast<int>(runsOf(*grid_)), seeds = static_cast<int>(grid_->seeds.size());
        QStringList parts;
        for (const SweepAxis& axis : grid_->axes) parts.append(QString::number(axis.values.size()));
        count_->setText(tr("%1 combinations × %2 seeds = %3 runs")
                            .arg(grid_->axes.size() > 1 ? parts.join(QStringLiteral(" × ")) : parts.constFirst())
                            .arg(seeds)
                            .arg(countText(runs)));
    }
    markWrong(count_, failure && !isUntouched());
    count_->setVisible(!count_->text().isEmpty());
    // An estimate holds as long as its grid does, whatever that is called.
    std::string text;
    if (grid_) {
        SweepGrid unnamed = *grid_;
        unnamed.title.clear();
        text = formatSweepGrid(unnamed);
    }
    if (text.empty() || text != measured_grid_) {
        stopMeasuring();
        measured_grid_ = text;
        sayNotMeasured();
    }
    measure_->setEnabled(grid_.has_value());
    for (QPushButton* button : {submit_, queue_})
        button->setEnabled(grid_.has_value() && !writing_ && !folder_->text().trimmed().isEmpty());
    add_->setEnabled(rows_.size() < kMostAxes);
    growToContent(this);
}

void SweepEditor::sayNotMeasured() {
    seconds_ = 0;
    estimate_->setText(grid_           ? tr("Estimate says what they take here, before anything begins.")
                       : isUntouched() ? tr("How many runs that is stands here once the options have their values.")
                                       : QString());
    growToContent(this);
}

struct SweepEditor::Measured {
    std::optional<int> code;
    std::string output;
    std::optional<std::int64_t> room;  ///< on the disk of the sweep
    std::vector<RunBytes> earlier;     ///< of the runs that are like these
};

void SweepEditor::measure() {
    if (measurement_) return stopMeasuring();
    if (!grid_) return;
    EarlierSearch earlier;
    if (earlier_) {
        std::set<std::string> varied;
        for (const SweepAxis& axis : grid_->axes) varied.insert(axis.key);
        earlier = earlier_(base_, varied);
    }
    measurement_.emplace();
    seconds_ = 0;
    estimate_->setText(tr("Measuring …"));
    measure_->setText(tr("Stop"));
    measuring_.runNewest(
        [text = formatSweepGrid(*grid_), program = program_, papers = papers_, stop = measurement_->get_token(),
         there = folder(), earlier = std::move(earlier)]() mutable {
            std::error_code error;
            fs::create_directories(papers, error);
            replaceTextFile(papers / kMeasuredGrid, text, Keep::Written, FilePlace::InFolder);
            Measured found;
            found.code = runQueueProgram(program, {"sweep", (papers / kMeasuredGrid).string(), "--estimate", "--json"},
                                         papers / kMeasuredText, stop);
            if (!found.code) return found;
            found.output = readTextFile(papers / kMeasuredText, FilePlace::InFolder, file_limit::kDocument);
            for (const fs::path& run : earlier ? earlier() : std::vector<fs::path>())
                if (const RunBytes kept = bytesOf(run); kept.total() > 0) found.earlier.push_back(kept);
            while (!fs::exists(there, error) && there.has_relative_path()) there = there.parent_path();
            const fs::space_info space = fs::space(there, error);
            if (!error) found.room = static_cast<std::int64_t>(space.available);
            return found;
        },
        [this](const Measured& found) {
            stopMeasuring();
            if (found.code) showMeasured(found);
        },
        [this](const Failure& failure) {
            stopMeasuring();
            estimate_->setText(oneText(failure));
            growToContent(this);
        });
}

void SweepEditor::stopMeasuring() {
    if (!measurement_) return;
    measurement_->request_stop();
    measurement_.reset();
    measuring_.cancelNewest();
    measure_->setText(tr("Estimate"));
    sayNotMeasured();
}

void SweepEditor::showMeasured(const Measured& found) {
    if (const std::optional<SweepEstimate> estimate = parseEstimate(found.output))
        return showEstimate(*estimate, found);
    const std::string sentence = complaintOf(found.output);
    estimate_->setText(sentence.empty() ? tr("The measurement ended with exit code %1.").arg(*found.code)
                                        : QString::fromStdString(sentence));
    growToContent(this);
}

void SweepEditor::showEstimate(const SweepEstimate& estimate, const Measured& found) {
    seconds_ = estimate.seconds;
    const auto bytes = [](std::int64_t count) { return QString::fromStdString(byteCount(count)); };
    QString text = tr("About %1 here if one run follows the other, less where cores are shared; %2 of memory a run. "
                      "Measured on a few images.")
                       .arg(QString::fromStdString(roughDuration(estimate.seconds)), bytes(estimate.memory));
    const std::int64_t runs = std::max<std::int64_t>(1, estimate.runs);
    RunBytes kept = estimate.parts;
    std::int64_t disk = estimate.disk;
    if (!found.earlier.empty()) {
        kept = meanOf(found.earlier);
        disk = kept.total() * runs;
        text += found.earlier.size() == 1
                    ? tr(" They keep about %1 on the disk: %2 a run, as an earlier run of these settings does")
                          .arg(bytes(disk), bytes(kept.total()))
                    : tr(" They keep about %1 on the disk: %2 a run, as %3 earlier runs of these settings do")
                          .arg(bytes(disk), bytes(kept.total()))
                          .arg(found.earlier.size());
    } else {
        text += tr(" They keep about %1 on the disk: %2 a run").arg(bytes(disk), bytes(disk / runs));
    }
    text += kept.total() > 0 ? tr(", mostly %1.").arg(tr(kept.most())) : QStringLiteral(".");
    if (estimate.shared_load > 0)
        text += tr(" Others used the processor meanwhile (load %1); alone it may be faster.")
                    .arg(estimate.shared_load, 0, 'f', 1);
    if (found.room && *found.room < disk) text += tr(" The disk has only %1 left.").arg(bytes(*found.room));
    if (estimate.missing > 0) {
        text += estimate.missing == 1 ? tr(" One thing is missing here:")
                                      : tr(" %1 things are missing here:").arg(estimate.missing);
        for (const std::string& need : estimate.needs) text += QStringLiteral(" ") + QString::fromStdString(need);
    }
    estimate_->setText(text);
    growToContent(this);
}

fs::path SweepEditor::folder() const {
    return absolutePath(folder_->text(), QString::fromStdString(home_.string())).toStdString();
}

void SweepEditor::writeGrid(const std::function<void(const fs::path& grid, bool fresh)>& written,
                            const std::function<void(const Failure&)>& refused) {
    fs::path file = folder();
    file += ".toml";
    writing_ = true;
    background_.run(
        [file, text = formatSweepGrid(*grid_)] {
            std::error_code error;
            fs::create_directories(file.parent_path(), error);
            if (error)
                throw inputError("Cannot make the folder " + file.parent_path().string() + ": " + error.message() + ".",
                                 "Choose a folder you may write to.");
            const bool fresh = !fs::exists(fs::symlink_status(file, error));
            if (!fresh && readTextFile(file, FilePlace::InFolder, file_limit::kSettings) != text)
                throw inputError("There is another sweep in " + file.string() + ".",
                                 "Choose another folder, such as " + freeNameBeside(file) +
                                     ", so that its runs are not mixed with these.");
            replaceTextFile(file, text, Keep::OnDiskWithName);
            return fresh;
        },
        [this, file, written](bool fresh) {
            writing_ = false;
            written(file, fresh);
        },
        [this, refused](const Failure& failure) {
            writing_ = false;
            refresh();
            refused(failure);
        });
}

void SweepEditor::accept() {
    if (!grid_ || writing_) return;
    writeGrid(
        [this, folder = folder(), name = title_->text().trimmed()](const fs::path& grid, bool) {
            folder_typed_ = false;
            Q_EMIT chosen(grid, folder, name.isEmpty() ? QString::fromStdString(folder.filename().string()) : name,
                          seconds_);
            QDialog::accept();
        },
        [this](const Failure& failure) {
            count_->setText(oneText(failure));
            markWrong(count_, true);
            growToContent(this);
        });
}

void SweepEditor::submit() {
    if (!grid_ || writing_) return;
    ClusterRequest request = submission_->request();
    request.folder = folder();
    writeGrid(
        [this, request](const fs::path& grid, bool fresh) mutable {
            refresh();
            request.grid = grid;
            request.fresh_grid = fresh;
            Q_EMIT submitChosen(request);
        },
        [this](const Failure& failure) { submission_->fail(failure); });
}

void SweepEditor::submitted() {
    folder_typed_ = false;
    submission_->finish();
    QDialog::accept();
}

void SweepEditor::done(int result) {
    stopMeasuring();
    QDialog::done(result);
}

}  // namespace palimpsest
