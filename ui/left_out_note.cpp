// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/left_out_note.h"

#include <utility>

#include "ui/message_bar.h"
#include "ui/run_bridge.h"
#include "ui/text_style.h"

namespace palimpsest {

LeftOutNote::LeftOutNote(std::function<MessageBar*()> bar, Hints hints, QObject* parent)
    : QObject(parent), bar_(std::move(bar)), hints_(std::move(hints)) {}

LeftOutNote::LeftOutNote(RunBridge* bridge, MessageBar* messages, QObject* parent)
    : LeftOutNote([messages] { return messages; },
                  {tr("The run goes on without it, and without any other that cannot be read."),
                   tr("The file run.json in the run's folder names them.")},
                  parent) {
    connect(bridge, &RunBridge::started, this, &LeftOutNote::begin);
    connect(bridge, &RunBridge::imageLeftOut, this, [this](const ImageLeftOut& event) {
        add(QString::fromStdString(event.text), event.unreadable_images - count_);
    });
    connect(bridge, &RunBridge::ended, this, &LeftOutNote::end);
}

void LeftOutNote::add(const QString& text, qint64 more) {
    if (count_ == 0) bar_()->showMessage(MessageBar::Kind::Note, text, hints_.meanwhile);
    count_ += more;
}

void LeftOutNote::end() {
    if (count_ > 1)
        bar_()->showMessage(MessageBar::Kind::Note,
                            tr("%1 images could not be read and were left out.").arg(countText(count_)),
                            hints_.afterwards);
    count_ = 0;
}

}  // namespace palimpsest
