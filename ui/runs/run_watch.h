// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <chrono>

class QWidget;

namespace palimpsest {

class RunLibrary;

/// Scans for runs that other programs write, as long as the list is visible. It uses a timer and not notifications of
/// the file system, which do not come from network folders, nor from files within a run's folder.
class RunWatch : public QObject {
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kUsual{5000};
    /// `seen`: the list.
    RunWatch(RunLibrary* library, QWidget* seen, std::chrono::milliseconds pause = kUsual, QObject* parent = nullptr);

private:
    void scan();
    void rest();

    RunLibrary* library_;
    QPointer<QWidget> seen_;
    const std::chrono::milliseconds pause_;
    QTimer timer_;
    QElapsedTimer clock_;  ///< time of the scan that is under way; not valid: none is
};

}  // namespace palimpsest
