// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QString>
#include <QVariantMap>

class QAction;

namespace palimpsest {

/// Every command of the window in one list, with the keys it comes with and those a person gave it instead.
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

    /// The action's object name is what its keys are remembered under.
    void add(QAction* action, const QString& group, const QList<QKeySequence>& standard);
    const QList<Entry>& entries() const { return entries_; }
    /// Null: there is none of that name.
    QAction* action(const QString& name) const;
    /// Empty for an action that is not in the book.
    QString title(const QAction* action) const;
    /// What it says now: "Export figure" of "&Export figure …".
    static QString words(const QAction* action);
    /// As written on this computer's keyboard; several with a comma between them.
    static QString keysText(const QAction* action);
    /// A tip that names the keys, where the action has some. Null: words alone.
    static QString tip(const QString& words, const QAction* action);

    /// Who has these keys, besides `other`; null: nobody.
    QAction* owner(const QKeySequence& keys, const QAction* other = nullptr) const;
    /// Takes the keys away from whoever had them; empty keys: none.
    void setKeys(QAction* action, const QKeySequence& keys);
    bool changed(const QAction* action) const;
    /// Back to the keys it comes with, which are taken away from whoever has them now.
    void reset(QAction* action);
    void resetAll();

    /// What differs from the keys the program comes with: names, and keys as portable text.
    QVariantMap changes() const;
    /// Applies what changes() gave. Names that are unknown and keys that are none are left out.
    void take(const QVariantMap& changes);

Q_SIGNALS:
    void keysChanged();

private:
    const Entry* find(const QAction* action) const;
    void free(const QList<QKeySequence>& keys, const QAction* keeper);

    QList<Entry> entries_;
};

}  // namespace palimpsest
