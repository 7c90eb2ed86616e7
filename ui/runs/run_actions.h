// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

class QMenu;
class QModelIndex;
class QTableView;

namespace palimpsest {

class RunSet;
class RunColumns;
class RunLibrary;
class RunTableModel;

/// Actions on runs of the list, behind its menus and keys.
class RunActions : public QObject {
    Q_OBJECT
public:
    RunActions(RunSet* store, RunLibrary* library, RunTableModel* model, QTableView* view, RunColumns* columns);

    /// Menu for the selected rows, of which `index` is one.
    void fillMenu(QMenu* menu, const QModelIndex& index);
    /// Menu for the list as a whole.
    void fillListMenu(QMenu* menu);
    /// Runs below the selected lines, a heading's included.
    QStringList selected() const;
    void removeSelected();
    /// Opens the cell for tags or note of the present run, in its place.
    void edit(int column);
    /// The same for one cell; where it is open already, it takes the keyboard.
    void openEditor(const QModelIndex& cell);
    void askForImport();
    void importFiles(const QStringList& files);
    void askToEmptyTrash();
    void setBaseline(const QString& id);

    /// "palimpsest-cli run '.../experiment.toml'".
    static QString commandLine(const QString& folder);

Q_SIGNALS:
    /// Open a run with its settings; its folder.
    void openRequested(const QString& folder);
    /// Go on with a run that ended early; its folder.
    void goOnRequested(const QString& folder);
    /// Fork a run; its folder.
    void forkRequested(const QString& folder);
    /// Show which runs were forked from which; the run to begin with.
    void branchesRequested(const QString& id);
    /// Play a recorded run back; its folder.
    void replayRequested(const QString& folder);
    void messageRequested(const QString& text, const QString& hint);
    /// Emitted after a success; `undo` reverts it, and is empty where that is impossible.
    void doneRequested(const QString& text, const QString& hint, const std::function<void()>& undo);

private:
    void connectLibrary();
    void fillColours(QMenu* menu, const QStringList& ids);
    void openFolder(const QString& id);
    /// State of removed runs, to restore it with them.
    void keepParts(const QStringList& ids, const QStringList& trashed);
    void giveBackParts(const QString& trashed, const QString& id);
    void setColour(const QStringList& ids, const QString& colour);

    RunSet* store_;
    RunLibrary* library_;
    RunTableModel* model_;
    QTableView* view_;
    RunColumns* columns_;
    QString import_folder_;
    struct Part {
        bool visible, selected, baseline;
    };
    QHash<QString, Part> parts_;  ///< of runs in the trash that had one, by where they lie
};

}  // namespace palimpsest
