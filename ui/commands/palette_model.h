// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QIcon>
#include <QList>
#include <QString>
#include <QStyledItemDelegate>
#include <functional>
#include <vector>

namespace palimpsest {

/// A command that the user can find in the command palette.
struct PaletteCommand {
    QString name;     ///< stable and unique: "action.startRun", "option.seed"
    QString title;    ///< "Start or resume"
    QString group;    ///< "Run", "Preset", "Help", "Setting"
    QString more;     ///< further text it is found by, not shown
    QString keys;     ///< its shortcut as written on a keyboard; may be empty
    QString refusal;  ///< reason why it cannot be done at the moment; empty: it can
    std::function<void()> run;
    QIcon icon = {};
    bool section = false;  ///< of a page: found by whole words alone, and after all else
    QString words = {};    ///< that are meant for it, not shown; each counts as much as one of the title
};

/// The commands that match what was typed, nearest first.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        GroupRole = Qt::UserRole,
        KeysRole,
        RefusalRole,
        PlacesRole,  ///< of the letters that were found, as QList<int>
        NameRole
    };
    using QAbstractListModel::QAbstractListModel;

    void setCommands(const QList<PaletteCommand>& commands);
    void setQuery(const QString& query);
    /// Notes that a command was run: it stands first while nothing is typed, and before others that match as well.
    void noteUse(const QString& name);
    const PaletteCommand& command(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        qsizetype command;
        int score;
        QList<int> places;
    };
    QList<PaletteCommand> commands_;
    std::vector<Row> rows_;
    QStringList used_;  ///< newest first
};

/// A command in one row: its title with the letters that were found, where it belongs, and its keys.
class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace palimpsest
