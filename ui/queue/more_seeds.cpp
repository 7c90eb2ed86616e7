// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/more_seeds.h"

#include <sys/stat.h>
#include <unistd.h>

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <system_error>

#include "engine/record/copy_mark.h"
#include "engine/report/grid_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/file_lock.h"
#include "engine/sweep/queue_file.h"
#include "engine/sweep/slurm_cluster.h"
#include "engine/sweep/sweep_draft.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"
#include "ui/queue/add_to_queue.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kSeedsWidth = 420;

/// Throws Error(Input) for a seed that is among the known ones.
void requireNew(const std::vector<std::int64_t>& seeds, const std::vector<std::int64_t>& known) {
    for (const std::int64_t seed : seeds)
        if (std::ranges::find(known, seed) != known.end())
            throw inputError("The sweep has the seed " + std::to_string(seed) + " already.", "Name others.");
}

std::string textIn(const fs::path& file) {
    return readTextFile(file, FilePlace::InFolder, file_limit::kSettings);
}

}  // namespace

void addSeeds(const OptionTable& table, const fs::path& folder, const std::string& seeds) {
    const fs::path file = folder / "sweep.toml";
    struct stat status {};
    if (stat(folder.c_str(), &status) == 0 && status.st_uid != geteuid())
        throw inputError("The folder " + folder.string() + " belongs to another user.",
                         "Make a new sweep of it, with these seeds alone.");
    if (!copiedFrom(folder).empty())
        throw inputError(folder.string() + " is a copy of a sweep on another machine.",
                         "Submit it there again, with a grid that has more seeds, in a new folder.");
    // What sees to the sweep holds this as long as it works.
    const auto lock = FileLock::take(openLockFile(folder / kSweepLock));
    // Whoever writes scripts for Slurm holds this alone.
    const auto scripts = FileLock::take(openLockFile(folder / kScriptsLock));
    if (!lock || !scripts)
        throw inputError("Another program works on the sweep in " + folder.string() + ".",
                         "Wait for its end, or hold it in the queue.");
    if (hasSlurmScripts(folder))
        throw inputError("The sweep in " + folder.string() +
                             " was given to Slurm, whose tasks know only the grid that they were given.",
                         "Add the seeds to its grid and call palimpsest-cli sweep once its runs have finished.");
    const std::string before = textIn(file);
    const SweepGrid grid = report::readGridFile(table, file, FilePlace::InFolder);
    const std::vector<std::int64_t> more = parsedSeeds(seeds, largestSeed(table));
    requireNew(more, grid.seeds);
    const std::string after = withMoreSeeds(before, file.string(), more);
    // Too many runs are refused before anything is written.
    SweepGrid grown = grid;
    grown.seeds.insert(grown.seeds.end(), more.begin(), more.end());
    planSweep(table, grown, file);
    fs::path beside = folder;
    beside += ".toml";
    std::error_code error;
    const bool same = fs::is_regular_file(fs::symlink_status(beside, error)) && textIn(beside) == before;
    replaceTextFile(file, after, Keep::OnDiskWithName, FilePlace::InFolder);
    if (same) replaceTextFile(beside, after, Keep::OnDiskWithName, FilePlace::InFolder);
}

MoreSeedsDialog::MoreSeedsDialog(const OptionTable& table, QWidget* parent)
    : QDialog(parent),
      most_(largestSeed(table)),
      title_(makeTextLabel(text_size::kText, QFont::DemiBold, false)),
      note_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      field_(new QLineEdit),
      add_(makeButton("sweepSeedsAdd", tr("Add and queue"),
                      tr("Each row is run with each of them; the runs that there are stay as they are"))) {
    setObjectName("moreSeedsDialog");
    setWindowTitle(tr("Add seeds"));
    title_->setObjectName("moreSeedsTitle");
    note_->setObjectName("moreSeedsNote");
    keepLines(note_, 2);
    field_->setObjectName("moreSeeds");
    field_->setAccessibleName(tr("More seeds"));
    field_->setToolTip(tr("One seed or several: 6, 6-10 or 6-8, 12"));
    field_->setPlaceholderText(tr("6-10"));
    field_->setMaxLength(2000);
    auto* label = makeLabel(tr("More &seeds"), text_size::kText, QFont::Normal, false);
    label->setBuddy(field_);
    auto* cancel = makeButton("sweepSeedsCancel", tr("Cancel"), tr("Add nothing"));
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(field_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(cancel);
    buttons->addWidget(add_);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(spacing::kRow);
    column->addWidget(title_);
    column->addLayout(row);
    column->addWidget(note_);
    column->addStretch(1);
    column->addLayout(buttons);
    add_->setProperty("primary", true);
    fitToText(this, [this] { setMinimumWidth(scaled(kSeedsWidth)); });
    connect(field_, &QLineEdit::textChanged, this, &MoreSeedsDialog::refresh);
    connect(field_, &QLineEdit::returnPressed, this, &MoreSeedsDialog::choose);
    connect(add_, &QPushButton::clicked, this, &MoreSeedsDialog::choose);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    refresh();
}

void MoreSeedsDialog::ask(const QString& title, std::int64_t rows, const std::vector<std::int64_t>& seeds) {
    if (!busy_) {
        rows_ = rows;
        known_ = seeds;
        title_->setText(tr("“%1” has the seeds %2.").arg(title, QString::fromStdString(seedsText(known_))));
        field_->clear();
        refresh();
    }
    field_->setFocus();
    open();
    growToContent(this);
}

void MoreSeedsDialog::refresh() {
    std::vector<std::int64_t> seeds;
    const auto failure = failureOf([&] {
        seeds = parsedSeeds(field_->text().toStdString(), most_);
        requireNew(seeds, known_);
    });
    const bool empty = field_->text().trimmed().isEmpty();
    ready_ = !empty && !failure;
    if (empty)
        note_->setText(tr("Type one seed or several, such as 6-10."));
    else if (failure)
        note_->setText(oneText(*failure));
    else
        note_->setText(tr("%1 rows × %2 seeds = %3 runs more")
                           .arg(rows_)
                           .arg(seeds.size())
                           .arg(rows_ * static_cast<std::int64_t>(seeds.size())));
    markWrong(note_, failure && !empty);
    add_->setEnabled(ready_ && !busy_);
    growToContent(this);
}

void MoreSeedsDialog::choose() {
    if (!ready_ || busy_) return;
    setBusy(true);
    Q_EMIT chosen(field_->text());
}

void MoreSeedsDialog::setBusy(bool busy) {
    busy_ = busy;
    field_->setEnabled(!busy);
    refresh();
}

void MoreSeedsDialog::fail(const Failure& failure) {
    setBusy(false);
    markWrong(note_, true);
    note_->setText(oneText(failure));
    show();
    growToContent(this);
}

void MoreSeedsDialog::finish() {
    setBusy(false);
    accept();
}

}  // namespace palimpsest
