// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>

namespace palimpsest {

class MessageBar;
class RunBridge;

/// Says in a message bar that images which cannot be read are left out: at the first, and at the end how many, in place
/// of message shown meanwhile. Its message goes when the next one begins.
class UnreadableImagesNote : public QObject {
    Q_OBJECT
public:
    /// Hints: what goes on without them, and what to know at the end.
    struct Hints {
        QString meanwhile, afterwards;
    };
    /// `bar`: the message bar that shows it, asked for each time.
    UnreadableImagesNote(std::function<MessageBar*()> bar, Hints hints, QObject* parent);
    /// Hints for runs.
    UnreadableImagesNote(RunBridge* bridge, MessageBar* messages, QObject* parent);

    void begin();
    /// So many more; `text` says what is wrong with the first of them.
    void add(const QString& text, qint64 more);
    void end();

private:
    /// Replaces the message that was shown before; false: it was gone.
    bool withdraw();
    void show(const QString& text, const QString& hint);

    const std::function<MessageBar*()> bar_;
    const Hints hints_;
    const QString topic_;  ///< each note has its own: two lanes may leave images out
    qint64 count_ = 0;
    QString first_;                  ///< message shown meanwhile
    QPointer<MessageBar> shown_in_;  ///< where
};

}  // namespace palimpsest
