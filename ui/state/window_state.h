// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <utility>

#include "engine/run/laboratory.h"
#include "engine/run/run_service.h"
#include "ui/state/curve_options.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/file_worker.h"
#include "ui/state/guess_book.h"
#include "ui/state/history_store.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_queue.h"
#include "ui/state/run_set.h"

namespace palimpsest {

/// State that all figures share: the runs, one moment, and one way of drawing.
struct FigureState {
    RunSet runs;
    HistoryStore histories{&runs};
    CurveCursor cursor;
    CurveOptions options;
    GuessBook guesses;
};

/// All that is open in the window. Members stand in the order in which they depend on each other, so that each is
/// destroyed before those it uses; the widgets that show them are destroyed before the state.
struct WindowState {
    /// `runs`: the folder whose runs the library lists.
    WindowState(Laboratory services, const std::filesystem::path& runs)
        : laboratory(std::move(services)),
          table(laboratory.catalogue),
          library(&table, runs),
          queue(&table, {runs / kQueueFolder, runs, queueProgram()}),
          files(&table),
          controller(&table, laboratory.run, laboratory.resume, laboratory.fork),
          saved(controller.draft()),
          lane_b(controller.draft()) {
        figures.runs.setCatalogue(laboratory.catalogue);
    }

    const Laboratory laboratory;
    const OptionTable table;
    FigureState figures;
    RunLibrary library;
    RunQueue queue;
    FileWorker files;
    /// Owns the draft. Destroying it aborts a run that is still going on, and waits for its end.
    RunController controller;
    SavedExperiment saved;
    LaneDraft lane_b;
};

}  // namespace palimpsest
