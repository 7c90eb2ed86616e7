// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "engine/library/run_row.h"
#include "ui/state/background.h"

class QAction;
class QLabel;
class QTreeWidget;
class QTreeWidgetItem;
class QWidget;

namespace palimpsest {

class RunLibrary;
class RunsPanel;

/// A run with the runs that were forked from it.
struct BranchNode {
    RunRowPtr row;  ///< null: its folder is gone
    QString id;     ///< of the run (RunSet::idOf)
    QString name;   ///< its own; of a run that is gone, its folder's
    std::vector<BranchNode> forks;
};

/// Finds a run by its id; null: there is none.
using RunFinder = std::function<RunRowPtr(const QString& id)>;

/// Every run that was forked, or is a fork, below the one it came from; in the order of the rows. A parent is looked
/// for where the fork says it was, then beside the fork: folders are moved together.
std::vector<BranchNode> branchTree(const std::vector<RunRowPtr>& rows, const RunFinder& find);

/// Dialog of all forks: which run was forked from which, at which point, with what difference and what result.
class BranchesDialog : public QDialog {
    Q_OBJECT
public:
    enum Column { kRun, kMoment, kDifference, kArea, kLast, kColumns };

    explicit BranchesDialog(RunLibrary* library, QWidget* parent = nullptr);

    /// Puts the keyboard on a run; nothing happens where it has no branches.
    void choose(const QString& run);
    QTreeWidget* tree() const { return tree_; }

Q_SIGNALS:
    /// Show it for now, as a click in the list of runs does.
    void shown(const QString& run);
    /// Emitted to show a run until the user hides it, as on Return.
    void chosen(const QString& run);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill();
    void add(QTreeWidgetItem* item, const BranchNode& node, const BranchNode* parent);
    /// Reads in what a fork differs from its parent, once.
    void compare(const RunRowPtr& fork, const RunRowPtr& parent);
    void showDifference(const QString& run);

    RunLibrary* library_;
    QTreeWidget* tree_;
    QLabel* nothing_;
    QHash<QString, QString> differences_;  ///< by fork; empty: being read
    Background background_;
};

/// Opens the tree of forks, and shows in the plots what is chosen there.
class BranchesController : public QObject {
    Q_OBJECT
public:
    BranchesController(RunLibrary* library, RunsPanel* runs, QAction* action, QWidget* window);
    ~BranchesController() override;

    /// With the keyboard on this run, where it has branches.
    void showDialog(const QString& run = {});

private:
    RunLibrary* library_;
    RunsPanel* runs_;
    QWidget* window_;
    BranchesDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
