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

/// The runs there are, those of other programs included while they grow. A click on one shows it in full colour for
/// now, double click or Enter for as long as a person wants; a click on its dot or Shift+Enter shows it beside the
/// others or hides it; Delete moves it to the trash, F2 writes a note; the rest stands in the menus.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    RunsPanel(RunSet* store, RunLibrary* library, QWidget* parent = nullptr);

    QTableView* view() const { return view_; }
    QLineEdit* search() const { return search_; }
    RunTableModel* model() const { return model_; }
    RunActions* actions() const { return actions_; }
    /// Of the row the keyboard is on; empty when there is none.
    QString currentRun() const;
    /// Runs of the list may be dropped on this widget, which shows them in the plots.
    void acceptRunsOn(QWidget* plot);

Q_SIGNALS:
    /// Open a run with its settings; its folder.
    void openRequested(const QString& folder);
    void goOnRequested(const QString& folder);
    void replayRequested(const QString& folder);
    void messageRequested(const QString& text, const QString& hint);
    /// The same, but nothing went wrong that the person asked for. Each note comes once.
    void noteRequested(const QString& text, const QString& hint);
    /// What went well; `undo` takes it back, where there is a way back.
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
