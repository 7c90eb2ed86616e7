// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <memory>

namespace palimpsest {

class RunSet;
class RunLibrary;
struct RunRecord;

/// Follows runs that another program writes: as long as there are any, the library rescans them periodically, and new
/// points of those that the set holds are added to it.
class RunFollower : public QObject {
    Q_OBJECT
public:
    RunFollower(RunSet* store, RunLibrary* library, QObject* parent = nullptr,
                std::chrono::milliseconds every = std::chrono::seconds(2));

private:
    QStringList growing() const;
    void poll();
    void update();

    RunSet* store_;
    RunLibrary* library_;
    QHash<QString, std::shared_ptr<const RunRecord>> given_;  ///< last record given to the set, by id
    QTimer timer_{this};
};

}  // namespace palimpsest
