// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace palimpsest {

/// Space and the arrows steer the run from anywhere in the window, except where a person has moved the focus by
/// keyboard to something that needs them itself: a button, a slider, the picture of the stream. Install on the
/// application.
class KeyGuard : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* object, QEvent* event) override;
};

}  // namespace palimpsest
