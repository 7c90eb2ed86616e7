// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>
#include <chrono>

class QWidget;

namespace palimpsest {

class RunLibrary;

/// Looks for runs that other programs write, as long as somebody can see the list. A clock and not the file system's
/// own news, which do not come from folders of a network, nor from files within a run's folder.
class RunWatch : public QObject {
    Q_OBJECT
public:
    static constexpr std::chrono::milliseconds kUsual{5000};
    /// `seen`: the list.
    RunWatch(RunLibrary* library, QWidget* seen, std::chrono::milliseconds pause = kUsual, QObject* parent = nullptr);

private:
    void look();
    void rest();

    RunLibrary* library_;
    QPointer<QWidget> seen_;
    const std::chrono::milliseconds pause_;
    QTimer timer_;
    QElapsedTimer clock_;  ///< of the look that is under way; not valid: none is
};

}  // namespace palimpsest
