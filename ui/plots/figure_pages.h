// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QObject>
#include <QString>

class QStackedWidget;
class QTableView;
class QToolButton;
class QWidget;

namespace palimpsest {

class CurveOptions;
class Panel;

/// The numbers behind a figure, as texts at the right of their cells.
class FigureTable : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;
    /// Adds what is new since the last call.
    virtual void refresh() {}
    /// The figure is drawn another way; the next refresh() follows it.
    virtual void applyOptions(const CurveOptions& /*options*/) {}

protected:
    /// Text of a cell that is there.
    virtual QString cellText(int row, int column) const = 0;
    virtual QString heading(int column) const = 0;
};

/// The table that shows such numbers. `title`: of the figure.
QTableView* makeNumbersView(const QString& name, const QString& title, QAbstractItemModel* numbers);
/// Fits the columns to their headings: to measure the cells of a thousand sessions takes seconds.
void fitColumns(QTableView& numbers);

/// A cell of such a file: quoted where it holds a comma, a quote or a line break.
QString csvQuoted(QString text);

/// The frame of every figure: a panel with its title, the figure, and the table of its numbers behind a button.
class FigurePages : public QObject {
    Q_OBJECT
public:
    /// `name`: prefix of object names: "anytime". The figure and the table become children of the panel.
    FigurePages(const QString& name, const QString& title, const QString& caption, QWidget* figure, FigureTable* table,
                QWidget* owner);

    QString title() const;
    Panel* panel() const { return panel_; }
    FigureTable* table() const { return table_; }
    void setTableShown(bool shown);
    bool tableShown() const;
    /// Left of the table button.
    void addHeaderWidget(QWidget* widget);
    void fitColumns();

Q_SIGNALS:
    /// The user chose the table, or the figure again.
    void tableChosen();

private:
    FigureTable* table_;
    Panel* panel_;
    QStackedWidget* pages_;
    QTableView* view_;
    QToolButton* button_;
};

}  // namespace palimpsest
