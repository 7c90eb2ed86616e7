// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QSet>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <chrono>

class QLineEdit;
class QTableView;
class QToolButton;
class QWidget;

namespace palimpsest {

class Panel;
class RunActions;
class RunColumns;
class RunLibrary;
class RunSet;
class RunTableModel;

/// Scans for runs that other programs write, as long as the list is visible. It uses a timer and not notifications of
/// the file system, which do not come from network folders, nor from files within a run's folder.
class RunWatch : public QObject {
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kUsual{5000};
    /// `seen`: the list.
    RunWatch(RunLibrary* library, QWidget* seen, std::chrono::milliseconds pause = kUsual, QObject* parent = nullptr);

private:
    void scan();
    void rest();

    RunLibrary* library_;
    QPointer<QWidget> seen_;
    const std::chrono::milliseconds pause_;
    QTimer timer_;
    QElapsedTimer clock_;  ///< time of the scan that is under way; not valid: none is
};

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
    /// Lets runs of the list be dropped on this widget, and on all that lies in it, which shows them in the plots.
    void acceptRunsOn(QWidget* plot);

Q_SIGNALS:
    /// Emitted where nothing that the user asked for went wrong; once for each note. See RunActions for other messages.
    void noteRequested(const QString& text, const QString& hint);

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
    void onScanned(const QStringList& unreadable);
    /// Shows the runs that are dropped; true: the event is handled.
    bool handleDrop(QEvent* event);

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
    QString current_;      ///< the run the keyboard is on, found again after the list was made anew
    QSet<QString> noted_;  ///< sentences about unreadable folders
};

}  // namespace palimpsest
