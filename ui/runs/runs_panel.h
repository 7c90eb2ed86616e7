// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QString>
#include <QWidget>
#include <functional>

class QLineEdit;
class QTableView;
class QToolButton;

namespace palimpsest {

class RunSet;
class Panel;
class RunActions;
class RunColumns;
class RunLibrary;
class RunTableModel;

/// Panel of all runs, those of other programs included while they grow. A click on one selects it for now, double click
/// or Enter until the user hides it; a click on its dot or Shift+Enter shows it beside the others or hides it; Delete
/// moves it to the trash, F2 writes a note; the menus have the rest.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    RunsPanel(RunSet* store, RunLibrary* library, QWidget* parent = nullptr);

    QTableView* view() const { return view_; }
    QLineEdit* search() const { return search_; }
    RunTableModel* model() const { return model_; }
    RunActions* actions() const { return actions_; }
    /// Id of the current row; empty when there is none.
    QString currentRun() const;
    /// Runs of the list may be dropped on this widget, which shows them in the plots.
    void acceptRunsOn(QWidget* plot);

Q_SIGNALS:
    /// Open a run with its settings; its folder.
    void openRequested(const QString& folder);
    void goOnRequested(const QString& folder);
    void replayRequested(const QString& folder);
    void messageRequested(const QString& text, const QString& hint);
    /// The same, but nothing that the user asked for went wrong. Each note comes once.
    void noteRequested(const QString& text, const QString& hint);
    /// Emitted after a success; `undo` reverts it, and is empty where that is impossible.
    void doneRequested(const QString& text, const QString& hint, const std::function<void()>& undo);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeHeader();
    void makeView();
    void showMenu(const QPoint& position);
    void toggleShown(const QModelIndex& index);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    void paintEmpty();
    void updateState();
    void takeScan(const QStringList& unreadable);

    RunSet* store_;
    RunLibrary* library_;
    Panel* panel_;
    RunTableModel* model_;
    QTableView* view_;
    QLineEdit* search_;
    QToolButton* grouping_;
    QToolButton* filter_;
    QToolButton* more_;
    RunColumns* columns_ = nullptr;
    RunActions* actions_ = nullptr;
    QString current_;     ///< the run the keyboard is on, found again after the list was made anew
    QSet<QString> told_;  ///< what was said of unreadable folders
};

}  // namespace palimpsest
