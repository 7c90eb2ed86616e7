// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace palimpsest {

/// SIGINT, SIGTERM and SIGHUP as a signal of the window's thread, so that a run is stopped and kept when the desktop or
/// a terminal ends the program. A SIGHUP that is ignored (nohup) stays so. The third
/// signal ends the program at once. One at a time.
class QuitSignals : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

Q_SIGNALS:
    void asked();

private:
    void hear();

    int heard_ = 0;
};

}  // namespace palimpsest
