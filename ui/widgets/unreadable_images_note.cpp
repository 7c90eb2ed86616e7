// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/unreadable_images_note.h"

#include <utility>

#include "ui/state/run_bridge.h"
#include "ui/style/text_style.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

QString freshTopic() {
    static int notes = 0;
    return QStringLiteral("left out %1").arg(++notes);
}

}  // namespace

UnreadableImagesNote::UnreadableImagesNote(std::function<MessageBar*()> bar, Hints hints, QObject* parent)
    : QObject(parent), bar_(std::move(bar)), hints_(std::move(hints)), topic_(freshTopic()) {}

UnreadableImagesNote::UnreadableImagesNote(RunBridge* bridge, MessageBar* messages, QObject* parent)
    : UnreadableImagesNote([messages] { return messages; },
                           {tr("The run goes on without it, and without any other that cannot be read."),
                            tr("The file run.json in the run's folder names what was left out.")},
                           parent) {
    connect(bridge, &RunBridge::started, this, &UnreadableImagesNote::begin);
    connect(bridge, &RunBridge::imageLeftOut, this, [this](const ImageLeftOut& event) {
        add(QString::fromStdString(event.text), event.unreadable_images - count_);
    });
    connect(bridge, &RunBridge::ended, this, &UnreadableImagesNote::end);
}

void UnreadableImagesNote::begin() {
    withdraw();
    count_ = 0;
}

void UnreadableImagesNote::add(const QString& text, qint64 more) {
    if (count_ == 0) show(first_ = text, hints_.meanwhile);
    count_ += more;
}

void UnreadableImagesNote::end() {
    if (count_ == 0) return;
    // The work is over. A user who dismissed the message about the one image knows of it.
    const bool unread = withdraw();
    if (count_ > 1)
        show(tr("%1 images could not be read and were left out.").arg(countText(count_)), hints_.afterwards);
    else if (unread)
        show(first_, hints_.afterwards);
    count_ = 0;
}

bool UnreadableImagesNote::withdraw() {
    return shown_in_ && shown_in_->withdraw(topic_);
}

void UnreadableImagesNote::show(const QString& text, const QString& hint) {
    withdraw();
    shown_in_ = bar_();
    shown_in_->showLatest(MessageBar::Kind::Note, topic_, text, hint);
}

}  // namespace palimpsest
