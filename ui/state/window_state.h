// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/run/laboratory.h"
#include "engine/run/run_service.h"
#include "ui/state/curve_cursor.h"
#include "ui/state/curve_options.h"
#include "ui/state/file_worker.h"
#include "ui/state/history_store.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/state/saved_experiment.h"

namespace palimpsest {

/// All figures show the same runs, at one moment, drawn in one way.
struct FigureState {
    RunSet runs;
    HistoryStore histories{&runs};
    CurveCursor cursor;
    CurveOptions options;
};

/// All that is open in the window. Members stand in the order in which they depend on each other, so that each is
/// destroyed before what it uses; whoever shows them is destroyed before the state.
struct WindowState {
    /// `runs`: the folder whose runs the library lists.
    WindowState(Laboratory services, const std::filesystem::path& runs);

    const Laboratory laboratory;
    const OptionTable table;
    FigureState figures;
    RunLibrary library;
    FileWorker files;
    /// Owns the draft. Destroying it aborts a run that is still going on, and waits for its end.
    RunController controller;
    SavedExperiment saved;
    LaneDraft lane_b;
};

}  // namespace palimpsest
