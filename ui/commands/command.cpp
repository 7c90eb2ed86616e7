// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command.h"

#include <QCoreApplication>
#include <vector>

#include "ui/state/key_names.h"

namespace palimpsest {
namespace {

class CommandTable {
    Q_DECLARE_TR_FUNCTIONS(CommandTable)
public:
    static std::vector<CommandRow> rows();
};

/// Keys of a command that texts anywhere in the window may name before there are actions.
QList<QKeySequence> named(const char* name) {
    return {KeyNames::standard(name)};
}

CommandRow checkable(CommandRow row) {
    row.checkable = true;
    return row;
}

CommandRow found(CommandRow row, const QString& words) {
    row.words = words;
    return row;
}

std::vector<CommandRow> CommandTable::rows() {
    using C = Command;
    constexpr auto ctrl = Qt::CTRL;
    constexpr auto ctrlShift = Qt::CTRL | Qt::SHIFT;
    return {
        {C::OpenExperiment, "openExperiment", tr("&Open experiment …"), {QKeySequence::Open}, "open"},
        {C::OpenRun, "openRun", tr("Open &run folder …"), {ctrlShift | Qt::Key_O}, "runs"},
        found({C::OpenSweep,
               "openSweep",
               tr("Open swee&p folder …"),
               {},
               "table",
               tr("A sweep as a table that follows its runs, also one that other programs work on")},
              tr("grid table slurm seeds rows")),
        {C::OpenImages, "openImages", tr("Open &image folder …"), {ctrl | Qt::Key_I}, "picture"},
        {C::ImportResults, "importResults", tr("I&mport results …"), {}, "import"},
        found({C::DrawClass,
               "drawClass",
               tr("Dra&w a class …"),
               {ctrlShift | Qt::Key_D},
               "note",
               tr("Eight drawings of your own become a class that a run learns")},
              tr("doodle paint pad own teach pencil camera paste")),
        {C::Datasets, "datasets", tr("&Data sets …"), {ctrl | Qt::Key_D}, "dataset"},
        {C::Backbone, "backbone", tr("&Backbone …"), {}, "backbone"},
        {C::SaveExperiment, "saveExperiment", tr("&Save experiment …"), {QKeySequence::Save}, "save"},
        {C::ExportFigure, "exportFigure", tr("&Export figure …"), {ctrl | Qt::Key_E}, "publish"},
        {C::ExportAnimation, "exportAnimation", tr("Export ani&mation …"), {}, "play"},
        found({C::ExportReplay,
               "exportReplay",
               tr("Export repla&y …"),
               {},
               "replay",
               tr("A page that plays the selected run, and the one it is compared with, in any browser")},
              tr("html browser web page share send")),
        {C::ExportTable, "exportTable", tr("Export tab&le …"), {}, "table"},
        found({C::ExportTensorBoard,
               "exportTensorBoard",
               tr("Export &for TensorBoard …"),
               {},
               "export",
               tr("What the runs in sight measured, in a folder that TensorBoard shows")},
              tr("events scalars logs")),
        found({C::ExportMlflow,
               "exportMlflow",
               tr("E&xport for MLflow …"),
               {},
               "export",
               tr("What the runs in sight measured, in a folder that MLflow shows")},
              tr("mlruns tracking logs")),
        {C::ExportStream, "exportStream", tr("Export s&tream …"), {ctrlShift | Qt::Key_E}, "export"},
        found({C::ExportGuesses,
               "exportGuesses",
               tr("Export &guesses …"),
               {},
               "export",
               tr("What was guessed of the runs in the list, beside what was measured")},
              tr("predict prediction expected class compare")),
        {C::Quit, "quit", tr("&Quit"), {ctrl | Qt::Key_Q}, "quit"},
        {C::Undo, "undo", tr("Undo"), named("undo"), "undo"},
        {C::Redo, "redo", tr("Redo"), {ctrlShift | Qt::Key_Z}, "redo"},
        {C::FindAnything, "findAnything", tr("&Find or do anything …"), {ctrl | Qt::Key_K}, "search"},
        {C::Shortcuts, "shortcuts", tr("&Keyboard shortcuts …"), {}, "settings"},
        {C::StartRun, "startRun", tr("&Start or resume"), named("startRun"), "play"},
        found({C::AddToQueue,
               "addToQueue",
               tr("Add to &queue …"),
               {ctrlShift | Qt::Key_A},
               "new",
               tr("The experiment waits for its turn, with as many seeds as you like")},
              tr("later batch several seeds overnight wait")),
        found({C::NewSweep,
               "newSweep",
               tr("&New sweep …"),
               {},
               "table",
               tr("Vary two or more options, each combination with several seeds")},
              tr("grid search rows vary compare combinations")),
        {C::PauseRun, "pauseRun", tr("&Pause or resume"), named("pauseRun"), "pause"},
        {C::StepRun, "stepRun", tr("Learn &one batch"), named("stepRun"), "step"},
        {C::StopRun, "stopRun", tr("S&top and keep what was learned"), named("stopRun"), "stop"},
        found({C::RunThere,
               "runThere",
               tr("Run on another &machine …"),
               {},
               "external",
               tr("Start the experiment on a machine that you reach by ssh, and watch it from here")},
              tr("remote ssh server cluster host computer")),
        {C::ChangeRun, "changeRun", tr("C&hange the run"), named("changeRun"), "play",
         tr("What was changed in the experiment goes into the run that is learning")},
        checkable({C::PauseAtSessionEnd, "pauseAtSessionEnd", tr("Pause when this session &ends")}),
        checkable({C::PauseWhenForgotten, "pauseWhenForgotten", tr("Pause when a session is for&gotten …")}),
        {C::KeepCheckpoint, "keepCheckpoint", tr("&Keep a checkpoint now"), {}, "save"},
        {C::ForkHere, "forkHere", tr("&Fork here …"), named("forkHere"), "branch",
         tr("Begin another run with the past of the selected one, up to the chosen moment")},
        {C::Branches,
         "branches",
         tr("&Branches …"),
         {},
         "branch",
         tr("Which runs were forked from which, and what came of it")},
        found({C::Trust,
               "trust",
               tr("Can this be tr&usted? …"),
               {},
               "check",
               tr("Check what may have fooled this experiment")},
              tr("why real difference chance luck significant significance")),
        found(checkable({C::GuessFirst,
                         "guessFirst",
                         tr("G&uess first"),
                         {ctrl | Qt::Key_G},
                         "note",
                         tr("Draw what you expect; the next run grows over it")}),
              tr("predict prediction expect expectation before drag")),
        found(checkable({C::CompareLanes, "compareLanes", tr("&Compare side by side"), {ctrl | Qt::Key_L}}),
              tr("compare lanes pair against")),
        found({C::ReplayRun,
               "replayRun",
               tr("&Replay the selected run"),
               {ctrl | Qt::Key_R},
               "replay",
               tr("The selected run plays again, and all others in the figures with it")},
              tr("play again forget")),
        {C::ReplayFaster, "replayFaster", tr("Replay &faster"), {ctrl | Qt::Key_Period}, "chevron-right"},
        {C::ReplaySlower, "replaySlower", tr("Replay slo&wer"), {ctrl | Qt::Key_Comma}, "chevron-left"},
        {C::InitialSession, "initialSession", tr("&Initial session …"), {}, "prompts"},
        {C::CompareStreams, "compareStreams", tr("&Compare streams …"), {ctrl | Qt::Key_M}, "compare"},
        {C::Memory, "memory", tr("&Memory …"), {ctrlShift | Qt::Key_M}, "memory"},
        found({C::ForgottenImages,
               "forgottenImages",
               tr("F&orgotten images …"),
               {},
               "hidden",
               tr("Test images that were right once and are wrong now, and the life of each")},
              tr("forget forgot lost wrong pin life pictures")),
        found({C::MaskLens,
               "maskLens",
               tr("Mask &lens …"),
               {},
               "push",
               tr("What the next batch would do under every logit mask, with the same weights")},
              tr("gradient logits weights counterfactual")),
        found({C::Attention,
               "attention",
               tr("&Attention …"),
               {},
               "picture",
               tr("Where the network looks in a test image, with and without prompts")},
              tr("heat map patches transformer class token blocks")),
        {C::NextFigure, "nextFigure", tr("&Next page of figures"), {Qt::Key_PageDown}, "chevron-right"},
        {C::PreviousFigure, "previousFigure", tr("&Previous page of figures"), {Qt::Key_PageUp}, "chevron-left"},
        checkable({C::TextNormal, "textNormal", tr("&Normal"), {ctrl | Qt::Key_0}}),
        checkable({C::TextLarge, "textLarge", tr("&Large")}),
        checkable({C::TextVeryLarge, "textVeryLarge", tr("&Very large")}),
        // On many keyboards plus is typed with Shift on the key of the equals sign.
        {C::TextLarger, "textLarger", tr("L&arger"), {ctrl | Qt::Key_Plus, ctrl | Qt::Key_Equal}},
        {C::TextSmaller, "textSmaller", tr("&Smaller"), {ctrl | Qt::Key_Minus}},
        checkable({C::AppearanceSystem, "appearanceSystem", tr("As the &system")}),
        checkable({C::AppearanceDark, "appearanceDark", tr("&Dark")}),
        checkable({C::AppearanceLight, "appearanceLight", tr("&Light")}),
        checkable({C::AppearanceProjector,
                   "appearanceProjector",
                   tr("&Projector"),
                   {},
                   "",
                   tr("Black on white, with large type and thick lines, for a wall or a bright room")}),
        found({C::Stage,
               "stage",
               tr("Sta&ge"),
               {Qt::Key_F8},
               "picture",
               tr("The figures on the whole screen for an audience, with the talk's captions; Escape leaves")},
              tr("present presentation projector lecture slides clicker spotlight")),
        found(
            {C::Talk, "talk", tr("Tal&k …"), {}, "note", tr("The script of moments and runs that Stage walks through")},
            tr("present presentation script slides scenes captions prepare")),
        found({C::AddToTalk,
               "addToTalk",
               tr("A&dd this moment to the talk"),
               {ctrl | Qt::Key_T},
               "new",
               tr("What is in front now becomes the talk's last scene")},
              tr("present presentation script slide scene")),
        found({C::CloseTalk,
               "closeTalk",
               tr("Close tal&k"),
               {},
               "close",
               tr("No talk is open then, and Stage shows what is in front")},
              tr("unload end present presentation script")),
        checkable({C::FullScreen, "fullScreen", tr("&Full screen"), {Qt::Key_F11}}),
        checkable({C::SidePanels,
                   "sidePanels",
                   tr("&Side panels"),
                   {Qt::Key_F9},
                   "",
                   tr("Show or hide the panels at both sides of the curves")}),
        {C::ResetLayout, "resetLayout", tr("&Reset layout"), {}, "layout"},
        {C::Welcome, "welcome", tr("&Welcome"), {}, "home"},
        found({C::WatchDemo,
               "watchDemo",
               tr("Watch the &demo"),
               {},
               "replay",
               tr("Two recorded runs of one stream, with the mask and without it, forget side by side")},
              tr("lesson tutorial introduction")),
        found({C::Lessons,
               "lessons",
               tr("&Lessons"),
               {},
               "note",
               tr("Small experiments with a goal, beside the figures")},
              tr("lesson tutorial course teach learn exercise goal")),
        {C::Guide, "guide", tr("&Guide"), named("guide"), "help"},
        {C::Keyboard, "keyboard", tr("&Keyboard"), {}, "keyboard"},
        {C::About, "about", tr("&About Palimpsest"), {}, "info"},
    };
}

}  // namespace

const CommandRow& commandRow(Command command) {
    static const std::vector<CommandRow> rows = CommandTable::rows();
    const CommandRow& row = rows.at(static_cast<std::size_t>(command));
    Q_ASSERT(rows.size() == kCommands && row.command == command);
    return row;
}

}  // namespace palimpsest
