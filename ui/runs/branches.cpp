// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/branches.h"

#include <QAction>
#include <QEvent>
#include <QFrame>
#include <QHash>
#include <QHeaderView>
#include <QLabel>
#include <QStringList>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QVBoxLayout>

#include "engine/config/experiment_differences.h"
#include "engine/config/experiment_file.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/engine_text.h"
#include "ui/state/key_names.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

QString folderId(const std::filesystem::path& folder) {
    return RunSet::idOf(folder.string(), 0);
}

class TreeBuilder {
public:
    TreeBuilder(const std::vector<RunRowPtr>& rows, const RunFinder& find) {
        for (const RunRowPtr& row : rows) {
            if (row->parent.empty()) continue;
            const std::filesystem::path parent = wholePath(row->parent);
            RunRowPtr known = find(folderId(parent));
            if (!known) known = find(folderId(row->folder.parent_path() / parent.filename()));
            const QString id = known ? folderId(known->folder) : folderId(parent);
            if (!forks_.contains(id)) parents_.append(id);
            known_[id] = known;
            forks_[id].push_back(row);
        }
    }

    std::vector<BranchNode> build() {
        std::vector<BranchNode> roots;
        for (const QString& id : parents_)
            if (const RunRowPtr& row = known_[id]; !row || row->parent.empty()) roots.push_back(nodeOf(id, row));
        // A folder that was written by hand may be its own ancestor.
        for (const QString& id : parents_)
            if (forks_.contains(id)) roots.push_back(nodeOf(id, known_[id]));
        return roots;
    }

private:
    BranchNode nodeOf(const QString& id, const RunRowPtr& row) {
        BranchNode node{row,
                        id,
                        row ? QString::fromStdString(row->name)
                            : QString::fromStdString(std::filesystem::path(id.toStdString()).filename().string()),
                        {}};
        // Taken away before they are followed, so that no circle has an end to miss.
        for (const RunRowPtr& fork : forks_.take(id)) node.forks.push_back(nodeOf(folderId(fork->folder), fork));
        return node;
    }

    QStringList parents_;
    QHash<QString, RunRowPtr> known_;
    QHash<QString, std::vector<RunRowPtr>> forks_;
};

using spacing::kGap;
constexpr int kIdRole = Qt::UserRole;
constexpr int kWidth = 860, kHeight = 420;

QString numberText(const std::optional<double>& fraction) {
    return fraction ? QStringLiteral("%1 %").arg(percentText(*fraction)) : QStringLiteral("–");
}

}  // namespace

std::vector<BranchNode> branchTree(const std::vector<RunRowPtr>& rows, const RunFinder& find) {
    return TreeBuilder(rows, find).build();
}

BranchesDialog::BranchesDialog(RunLibrary* library, QWidget* parent)
    : QDialog(parent),
      library_(library),
      tree_(new QTreeWidget),
      nothing_(makeTextLabel(text_size::kText, QFont::Normal, true)) {
    setObjectName(QStringLiteral("branchesDialog"));
    setWindowTitle(tr("Branches"));
    setModal(false);
    resize(scaled(kWidth), scaled(kHeight));
    tree_->setObjectName(QStringLiteral("branchesTree"));
    tree_->setAccessibleName(tr("Runs and their forks"));
    tree_->setToolTip(tr("Click a run to select it; Return or double click keeps it selected"));
    tree_->setColumnCount(kColumns);
    tree_->setHeaderLabels({tr("Run"), tr("Forked"), tr("What differs"), tr("A_AUC"), tr("A_Last")});
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setUniformRowHeights(true);
    tree_->setAllColumnsShowFocus(true);
    tree_->header()->setStretchLastSection(false);
    tree_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    tree_->header()->setSectionResizeMode(kDifference, QHeaderView::Stretch);
    nothing_->setObjectName(QStringLiteral("branchesNothing"));
    nothing_->setAlignment(Qt::AlignCenter);

    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(8, 8, 8, 8);
    inside->addWidget(nothing_);
    inside->addWidget(tree_, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->addWidget(panel, 1);

    const auto idOf = [](const QTreeWidgetItem* item) { return item->data(kRun, kIdRole).toString(); };
    connect(tree_, &QTreeWidget::itemClicked, this, [this, idOf](const QTreeWidgetItem* item) {
        if (const QString id = idOf(item); !id.isEmpty()) Q_EMIT shown(id);
    });
    connect(tree_, &QTreeWidget::itemActivated, this, [this, idOf](const QTreeWidgetItem* item) {
        if (const QString id = idOf(item); !id.isEmpty()) Q_EMIT chosen(id);
    });
    connect(library_, &RunLibrary::changed, this, &BranchesDialog::fill);
    fill();
}

void BranchesDialog::choose(const QString& run) {
    for (QTreeWidgetItemIterator each(tree_); *each; ++each)
        if ((*each)->data(kRun, kIdRole).toString() == run) tree_->setCurrentItem(*each);
}

void BranchesDialog::fill() {
    const QTreeWidgetItem* current = tree_->currentItem();
    const QString before = current ? current->data(kRun, kIdRole).toString() : QString();
    tree_->clear();
    const auto roots = branchTree(library_->rows(), [this](const QString& id) { return library_->row(id); });
    for (const BranchNode& root : roots) add(new QTreeWidgetItem(tree_), root, nullptr);
    tree_->expandAll();
    if (!before.isEmpty()) choose(before);
    if (!tree_->currentItem() && tree_->topLevelItemCount() > 0) tree_->setCurrentItem(tree_->topLevelItem(0));
    nothing_->setText(KeyNames::instance().filled(
        tr("No run has been forked yet. {forkHere} forks the selected one at the moment chosen in the plots.")));
    nothing_->setVisible(roots.empty());
    tree_->setVisible(!roots.empty());
}

void BranchesDialog::add(QTreeWidgetItem* item, const BranchNode& node, const BranchNode* parent) {
    item->setText(kRun, node.row ? node.name : tr("%1 (gone)").arg(node.name));
    item->setToolTip(kRun, node.id);
    if (node.row) {
        item->setData(kRun, kIdRole, node.id);
        item->setText(kArea, numberText(node.row->a_auc));
        item->setText(kLast, numberText(node.row->a_last_overall));
    } else {
        item->setForeground(kRun, palette().placeholderText());
    }
    if (parent && node.row) {
        item->setText(kMoment, tr("after %1 images").arg(countText(node.row->forked_at)));
        if (parent->row) compare(node.row, parent->row);
        const QString text = parent->row ? differences_.value(node.id) : tr("The run it came from is gone");
        item->setText(kDifference, text);
        item->setToolTip(kDifference, text);
    }
    for (const int column : {kArea, kLast}) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    for (const BranchNode& fork : node.forks) add(new QTreeWidgetItem(item), fork, &node);
}

void BranchesDialog::compare(const RunRowPtr& fork, const RunRowPtr& parent) {
    const QString id = RunSet::idOf(fork->folder.string(), 0);
    if (differences_.contains(id)) return;
    differences_[id] = QString();
    const auto show = [this, id](const QString& text) {
        differences_[id] = text;
        showDifference(id);
    };
    background_.run(
        [first = parent->folder, second = fork->folder, table = &library_->table()] {
            const Experiment before = readExperiment(*table, first / "experiment.toml", FilePlace::InFolder);
            const Experiment after = readExperiment(*table, second / "experiment.toml", FilePlace::InFolder);
            auto differences = experimentDifferences(*table, before, after);
            // The name says that it is a fork, and a fork names what its parent was computed with.
            std::erase_if(differences, [](const ExperimentDifference& each) {
                const std::string& key = each.option->key;
                return key == "name" || key == "device" || key == "precision" || key == "threads";
            });
            const QString text = differencesText(differences);
            return text.isEmpty() ? tr("Nothing") : text;
        },
        show, [show](const Failure& failure) { show(failure.message); });
}

void BranchesDialog::showDifference(const QString& run) {
    for (QTreeWidgetItemIterator each(tree_); *each; ++each) {
        if ((*each)->data(kRun, kIdRole).toString() != run) continue;
        (*each)->setText(kDifference, differences_.value(run));
        (*each)->setToolTip(kDifference, differences_.value(run));
    }
}

void BranchesDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && isVisible()) fill();
    QDialog::changeEvent(event);
}

BranchesController::BranchesController(RunLibrary* library, RunsPanel* runs, QAction* action, QWidget* window)
    : QObject(window), library_(library), runs_(runs), window_(window) {
    connect(action, &QAction::triggered, this, [this] { showDialog(runs_->currentRun()); });
    connect(runs_->actions(), &RunActions::branchesRequested, this, &BranchesController::showDialog);
}

BranchesController::~BranchesController() {
    delete dialog_;
}

void BranchesController::showDialog(const QString& run) {
    if (!dialog_) {
        dialog_ = new BranchesDialog(library_, window_);
        connect(dialog_, &BranchesDialog::shown, runs_->model(), &RunTableModel::showForNow);
        connect(dialog_, &BranchesDialog::chosen, runs_->model(), &RunTableModel::selectRun);
    }
    if (!run.isEmpty()) dialog_->choose(run);
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

}  // namespace palimpsest
