// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QSet>

class QMenu;
class QTableView;

namespace palimpsest {

/// Visibility and widths of the columns in the list of runs: the names get the width that the others leave.
class RunColumns : public QObject {
    Q_OBJECT
public:
    explicit RunColumns(QTableView* view);

    /// Adds a checkable action for each column that the user may hide or show.
    void fillMenu(QMenu* menu);
    void setShown(int column, bool shown);
    bool shown(int column) const { return !hidden_.contains(column); }
    /// Shows the difference of each metric that is shown, as while there is a baseline.
    void setDifferencesShown(bool shown);
    /// Room for "73.9 ± 1.2".
    void setSpreads(bool spreads);
    /// As long as there is room for more than a row, which is worth more.
    void setHeadingsShown(bool shown);
    void fit();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fitHeadings();
    /// Width that the other columns leave for the names.
    int roomForNames() const;
    /// Gives the names that width, and returns it.
    int fitNames();

    QTableView* view_;
    QHash<int, double> usual_;  ///< widths of the columns in a window of usual width, as the user left them
    QSet<int> hidden_;
    double spread_ = 1;  ///< times that, now
    bool fitting_ = false;
    bool spreads_ = false;
    bool differences_ = false;
    bool headings_ = true;
};

}  // namespace palimpsest
