// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>

#include "ui/runs/branch_tree.h"
#include "ui/state/background.h"

class QLabel;
class QTreeWidget;
class QTreeWidgetItem;

namespace palimpsest {

class RunLibrary;

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

}  // namespace palimpsest
