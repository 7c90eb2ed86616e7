// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <functional>

namespace palimpsest {

class MessageBar;
class RunBridge;

/// Shows in a message bar that images which cannot be read are left out: a message at the first of them, and at the end
/// their number in its place. The message is withdrawn when the next run begins.
class UnreadableImagesNote : public QObject {
    Q_OBJECT
public:
    /// Hints while the work continues without the images, and at its end.
    struct Hints {
        QString meanwhile, afterwards;
    };
    /// `bar`: returns the message bar, called for each message.
    UnreadableImagesNote(std::function<MessageBar*()> bar, Hints hints, QObject* parent);
    /// Uses the hints for runs.
    UnreadableImagesNote(RunBridge* bridge, MessageBar* messages, QObject* parent);

    void begin();
    /// Counts more images; `text` names the first of them and what is wrong with it.
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
    QString first_;                  ///< the message about the first image
    QPointer<MessageBar> shown_in_;  ///< bar of the message
};

}  // namespace palimpsest
