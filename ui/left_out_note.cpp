// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/left_out_note.h"

#include "ui/message_bar.h"
#include "ui/run_bridge.h"
#include "ui/text_style.h"

namespace palimpsest {

LeftOutNote::LeftOutNote(RunBridge* bridge, MessageBar* messages, QObject* parent) : QObject(parent) {
    connect(bridge, &RunBridge::started, this, [this] { count_ = 0; });
    connect(bridge, &RunBridge::imageLeftOut, this, [this, messages](const ImageLeftOut& event) {
        if (count_ == 0)
            messages->showMessage(MessageBar::Kind::Note, QString::fromStdString(event.text),
                                  tr("The run goes on without it, and without any other that cannot be read."));
        count_ = event.unreadable_images;
    });
    connect(bridge, &RunBridge::ended, this, [this, messages] {
        if (count_ > 1)
            messages->showMessage(MessageBar::Kind::Note,
                                  tr("%1 images could not be read and were left out.").arg(countText(count_)),
                                  tr("The file run.json in the run's folder names them."));
        count_ = 0;
    });
}

}  // namespace palimpsest
