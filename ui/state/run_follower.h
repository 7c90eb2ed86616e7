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

/// Keeps up with runs that another program writes: as long as there are any, the library looks at them again every so
/// often, and what is new in those that the store holds is handed to it.
class RunFollower : public QObject {
    Q_OBJECT
public:
    RunFollower(RunSet* store, RunLibrary* library, QObject* parent = nullptr,
                std::chrono::milliseconds every = std::chrono::seconds(2));

private:
    QStringList growing() const;
    void look();
    void takeNews();

    RunSet* store_;
    RunLibrary* library_;
    QHash<QString, std::shared_ptr<const RunRecord>> taken_;  ///< what the store was given last
    QTimer timer_{this};
};

}  // namespace palimpsest
