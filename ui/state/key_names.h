// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QString>

namespace palimpsest {

/// Present keys of the commands, for texts anywhere in the window that name them. The window's ActionBook sets them;
/// before there is one, they are the keys the program comes with.
class KeyNames : public QObject {
    Q_OBJECT
public:
    static KeyNames& instance();
    /// The keys that a command named in such a text comes with.
    static QKeySequence standard(const QString& command);

    /// The keys as written on this computer's keyboard: "F5"; the title of a command without keys: "Start or resume".
    QString of(const QString& command) const;
    /// `text` with each command that stands in it as "{startRun}" replaced by its keys.
    QString filled(QString text) const;
    void set(const QString& command, const QString& title, const QKeySequence& keys);
    /// Emits changed() after a round of set().
    void notify() { Q_EMIT changed(); }

Q_SIGNALS:
    void changed();

private:
    struct Entry {
        QString title;
        QKeySequence keys;
    };
    QHash<QString, Entry> entries_;
};

}  // namespace palimpsest
