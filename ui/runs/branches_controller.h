// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QAction;
class QWidget;

namespace palimpsest {

class BranchesDialog;
class RunLibrary;
class RunsPanel;

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
