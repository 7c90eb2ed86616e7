// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <QWidget>

class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QTableView;

namespace palimpsest {

class CurveStore;
class Panel;
class RunLibrary;
class RunTableModel;

/// The runs there are, those of other programs included while they grow. A click on one shows it in full colour for
/// now, double click or Enter for as long as a person wants; a click on its dot or Shift+Enter shows it beside the
/// others or hides it; the rest stands in the context menu.
class RunsPanel : public QWidget {
    Q_OBJECT
public:
    RunsPanel(CurveStore* store, RunLibrary* library, QWidget* parent = nullptr);

    QTableView* view() const { return view_; }
    QLineEdit* search() const { return search_; }
    RunTableModel* model() const { return model_; }
    /// Of the row the keyboard is on; empty when there is none.
    QString currentRun() const;
    /// "palimpsest-cli run '.../experiment.toml'".
    static QString commandLine(const QString& folder);

Q_SIGNALS:
    /// Open a run with its settings; its folder.
    void openRequested(const QString& folder);
    void messageRequested(const QString& text, const QString& hint);
    /// The same, but nothing went wrong that the person asked for. Each note comes once.
    void noteRequested(const QString& text, const QString& hint);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showMenu(const QPoint& position);
    void openFolder(const QString& id);
    void updateState();
    void fitColumns();
    /// The names take what the other columns leave; how much that is.
    int fitNames();
    void takeScan(const QStringList& unreadable);

    CurveStore* store_;
    RunLibrary* library_;
    Panel* panel_;
    RunTableModel* model_;
    QSortFilterProxyModel* sorted_;
    QTableView* view_;
    QLineEdit* search_;
    QSet<QString> told_;  ///< what was said of unreadable folders
    QHash<int, double> usual_;  ///< widths of the columns in a window of usual width, as a person left them
    double spread_ = 1;         ///< times that, now
    bool fitting_ = false;
};

}  // namespace palimpsest
