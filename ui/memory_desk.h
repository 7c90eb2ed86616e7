// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "engine/run/run_events.h"
#include "ui/memory_shown.h"
#include "ui/pacer.h"

namespace palimpsest {

class CurveStore;
class DatasetService;
class MemoryDialog;
class RunController;
class RunLibrary;

/// The window's view of a run's memory: that of the run in full colour, which may go on, or have been read from its
/// folder. Says in one sentence why there is none to show.
class MemoryDesk : public QObject {
    Q_OBJECT
public:
    MemoryDesk(std::shared_ptr<const DatasetService> service, RunController* controller, CurveStore* store,
               RunLibrary* library, QWidget* window);
    ~MemoryDesk() override;

public Q_SLOTS:
    void showDialog();
    /// Files may have changed.
    void forgetPictures();

private:
    void onStarted(const RunStarted& event);
    void onMemory(const MemoryHeld& event);
    /// What is not shown costs nothing.
    void refresh();
    void show();
    void showLive(const QString& title);
    void showRecord(const QString& run, const QString& title);

    const std::shared_ptr<const DatasetService> service_;
    RunController* controller_;
    CurveStore* store_;
    RunLibrary* library_;
    QWidget* window_;
    MemoryDialog* dialog_ = nullptr;
    MemoryShown live_;                ///< of the run that was started last in this program
    std::optional<MemoryHeld> held_;  ///< what it told last
    Pacer pacer_;
};

}  // namespace palimpsest
