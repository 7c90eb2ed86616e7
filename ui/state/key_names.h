// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QKeySequence>
#include <QObject>
#include <QString>

namespace palimpsest {

/// Which keys the commands have at the moment, for words anywhere in the window that name them. The window's ActionBook
/// tells; before there is one, the keys are those the program comes with.
class KeyNames : public QObject {
    Q_OBJECT
public:
    static KeyNames& instance();
    /// The keys that a command named in such words comes with.
    static QKeySequence standard(const QString& command);

    /// As written on this computer's keyboard: "F5". A command without keys is called by its title: "Start or resume".
    QString of(const QString& command) const;
    /// `text` with each command that stands in it as "{startRun}" replaced by its keys.
    QString filled(QString text) const;
    void set(const QString& command, const QString& title, const QKeySequence& keys);
    /// Tells everybody after a round of set().
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
