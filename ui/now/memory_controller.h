// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <array>
#include <memory>
#include <optional>

#include "engine/run/run_events.h"
#include "ui/state/run_controller.h"
#include "ui/state/throttle.h"
#include "ui/widgets/picture_grid.h"

namespace palimpsest {

class RunSet;
class DatasetService;
class MemoryDialog;
class RunLibrary;

/// The window's view of a run's memory: that of the selected run, which may go on, or have been read from its
/// folder. Says in one sentence why there is none to show.
class MemoryController : public QObject {
    Q_OBJECT
public:
    MemoryController(std::shared_ptr<const DatasetService> service, RunController* controller, RunSet* store,
                     RunLibrary* library, QWidget* window);
    ~MemoryController() override;

public Q_SLOTS:
    void showDialog();
    /// State of the run that the lane started last.
    void showLane(std::size_t lane);
    /// Files may have changed.
    void forgetPictures();

private:
    /// Memory of a run of this program.
    struct Live {
        MemoryShown shown;
        std::optional<MemoryHeld> held;  ///< its latest report
    };
    void onStarted(Live& live, const RunStarted& event);
    void onMemory(Live& live, const MemoryHeld& event);
    /// Hidden views are not updated.
    void refresh();
    void show();
    void showLive(Live& live, const QString& title);
    void showRecord(const QString& run, const QString& title);

    const std::shared_ptr<const DatasetService> service_;
    RunController* controller_;
    RunSet* store_;
    RunLibrary* library_;
    QWidget* window_;
    MemoryDialog* dialog_ = nullptr;
    QString chosen_;                                ///< a run other than the selected run; empty: that one
    std::array<Live, RunController::kLanes> live_;  ///< what each lane started last
    Throttle throttle_;
};

}  // namespace palimpsest
