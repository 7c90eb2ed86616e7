// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace palimpsest {

class MessageBar;
class RunBridge;

/// Says in the message bar that a run leaves out images that cannot be read: at the first, and at the end how many.
class LeftOutNote : public QObject {
    Q_OBJECT
public:
    LeftOutNote(RunBridge* bridge, MessageBar* messages, QObject* parent);

private:
    qint64 count_ = 0;
};

}  // namespace palimpsest
