// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QVariantMap>
#include <array>

#include "ui/commands/command.h"

class QAction;

namespace palimpsest {

/// All commands of the window in one list, with the keys they come with and those that the user gave them instead.
class ActionBook : public QObject {
    Q_OBJECT
public:
    struct Entry {
        QAction* action;
        QString group;  ///< the menu it stands in: "Run"
        QString title;  ///< "Undo", whatever there is to undo
        QList<QKeySequence> standard;
    };
    explicit ActionBook(QObject* parent = nullptr);

    /// The action of a command of the menu bar, with name, title, keys, tip and icon of its row. `group`: title of its
    /// menu.
    QAction* make(Command command, const QString& group, QObject* parent);
    /// An action made elsewhere; it gets name, keys and icon of the command's row.
    void add(Command command, QAction* action, const QString& group);
    /// An action that is no command of the menu bar. Its keys are remembered under its object name.
    void add(QAction* action, const QString& group, const QList<QKeySequence>& standard);
    const QList<Entry>& entries() const { return entries_; }
    /// Further words that the palette finds a command by; none of any other action.
    QString wordsOf(const QAction* action) const;
    /// The action of a command; null: it was not added.
    QAction* action(Command command) const { return commands_[static_cast<std::size_t>(command)]; }
    /// The title of an action; empty for one that is not in the book.
    QString title(const QAction* action) const;
    /// The present title without mnemonic and ellipsis: "Export figure" of "&Export figure …".
    static QString plainTitle(const QAction* action);
    /// The keys as written on this computer's keyboard; several with a comma between them.
    static QString keysText(const QAction* action);
    /// A tip that names the keys of the action, if it has some. Null: the text alone.
    static QString tip(const QString& text, const QAction* action);

    /// The action with these keys, besides `other`; null: none.
    QAction* owner(const QKeySequence& keys, const QAction* other = nullptr) const;
    /// Gives the action these keys; the action that had them loses them. Empty: no keys.
    void setKeys(QAction* action, const QKeySequence& keys);
    bool changed(const QAction* action) const;
    /// Restores the keys that the action comes with, which another action that has them now loses.
    void reset(QAction* action);
    void resetAll();

    /// Differences from the keys the program comes with: names, and keys as portable text.
    QVariantMap changes() const;
    /// Applies what changes() gave. Names that are unknown and keys that are none are left out.
    void apply(const QVariantMap& changes);

Q_SIGNALS:
    void keysChanged();

private:
    const Entry* find(const QAction* action) const;
    void free(const QList<QKeySequence>& keys, const QAction* keeper);

    QList<Entry> entries_;
    std::array<QAction*, kCommands> commands_{};
};

}  // namespace palimpsest
