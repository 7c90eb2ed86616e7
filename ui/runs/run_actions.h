// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <functional>

class QLineEdit;
class QMenu;
class QModelIndex;
class QTableView;

namespace palimpsest {

class RunColumns;
class RunLibrary;
class RunSet;
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

    /// "palimpsest-cli run '.../experiment.toml'".
    static QString commandLine(const QString& folder);

Q_SIGNALS:
    /// Open a run with its settings; its folder.
    void openRequested(const QString& folder);
    /// Resume a run that ended early; its folder.
    void resumeRequested(const QString& folder);
    /// Fork a run; its folder.
    void forkRequested(const QString& folder);
    /// Show which runs were forked from which; the run to begin with.
    void branchesRequested(const QString& id);
    /// Check whether its numbers can be trusted; the run.
    void trustRequested(const QString& id);
    /// End a run of another machine; the folder of its copy.
    void stopThereRequested(const QString& folder);
    /// Bring the checkpoints of a run of another machine; the folder of its copy.
    void checkpointsRequested(const QString& folder);
    /// Say why two runs differ.
    void diffRequested(const QString& first, const QString& second);
    /// Play a recorded run back; its folder.
    void replayRequested(const QString& folder);
    void messageRequested(const QString& text, const QString& hint);
    /// Emitted after a success; `undo` reverts it, and is empty where that is impossible. `topic`: see outdated().
    void doneRequested(const QString& text, const QString& hint, const std::function<void()>& undo,
                       const QString& topic);
    /// Emitted when a success on this topic was reverted, by `undo` or in another way, or cannot be any more.
    void outdated(const QString& topic);

private:
    void connectLibrary();
    void fillColours(QMenu* menu, const QStringList& ids);
    void openFolder(const QString& id);
    /// Remembers which of the removed runs were shown, selected or the baseline, to restore that with them.
    void saveRoles(const QStringList& ids, const QStringList& trashed);
    void restoreRole(const QString& trashed, const QString& id);
    void setColour(const QStringList& ids, const QString& colour);

    RunSet* store_;
    RunLibrary* library_;
    RunTableModel* model_;
    QTableView* view_;
    RunColumns* columns_;
    QString import_folder_;
    struct Role {
        bool visible, selected, baseline;
    };
    QHash<QString, Role> roles_;  ///< of runs in the trash that had one, by where they lie
    QStringList deletions_;       ///< topics of those that can be undone: where the first run lies
};

/// Empties a menu, the menus in it included, which QMenu::clear() keeps.
void emptyMenu(QMenu* menu);

/// Offers the methods, masks, data sets, states and tags there are; choosing one writes it into the search as
/// the user would type it, choosing it once more removes it.
void fillFilterMenu(QMenu* menu, const RunTableModel& model, QLineEdit* search);

}  // namespace palimpsest
