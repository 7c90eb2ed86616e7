// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QString>
#include <cstddef>

namespace palimpsest {

/// Commands of the menu bar, in its order.
enum class Command {
    // File
    OpenExperiment,
    OpenRun,
    OpenSweep,
    OpenImages,
    ImportResults,
    DrawClass,
    Datasets,
    Backbone,
    SaveExperiment,
    ExportFigure,
    ExportAnimation,
    ExportReplay,
    ExportTable,
    ExportTensorBoard,
    ExportMlflow,
    ExportStream,
    ExportGuesses,
    Quit,
    // Edit
    Undo,
    Redo,
    FindAnything,
    Shortcuts,
    // Run
    StartRun,
    AddToQueue,
    NewSweep,
    PauseRun,
    StepRun,
    StopRun,
    RunThere,
    ChangeRun,
    PauseAtSessionEnd,
    PauseWhenForgotten,
    KeepCheckpoint,
    ForkHere,
    Branches,
    Trust,
    GuessFirst,
    CompareLanes,
    ReplayRun,
    ReplayFaster,
    ReplaySlower,
    InitialSession,
    // View
    CompareStreams,
    Memory,
    ForgottenImages,
    MaskLens,
    Attention,
    NextFigure,
    PreviousFigure,
    TextNormal,
    TextLarge,
    TextVeryLarge,
    TextLarger,
    TextSmaller,
    AppearanceSystem,
    AppearanceDark,
    AppearanceLight,
    AppearanceProjector,
    Stage,
    Talk,
    AddToTalk,
    CloseTalk,
    FullScreen,
    SidePanels,
    // Window
    ResetLayout,
    // Help
    Welcome,
    WatchDemo,
    Lessons,
    Guide,
    Keyboard,
    Compute,
    About
};
inline constexpr std::size_t kCommands = static_cast<std::size_t>(Command::About) + 1;

struct CommandRow {
    Command command;
    const char* name;  ///< object name of its action, and what its keys are remembered under
    QString title;     ///< as in the menu: "&Save experiment …"
    QList<QKeySequence> keys = {};
    const char* icon = "";
    QString tip = {};  ///< empty: the title
    bool checkable = false;
    QString words = {};  ///< that the palette finds it by, besides title and tip
};

const CommandRow& commandRow(Command command);

}  // namespace palimpsest
