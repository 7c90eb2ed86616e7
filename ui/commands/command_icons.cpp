// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/command_icons.h"

#include <QHash>

#include "ui/widgets/icons.h"

namespace palimpsest {

QIcon commandIcon(const QString& command) {
    static const QHash<QString, QString> names{{"openExperiment", "open"},
                                               {"openRun", "runs"},
                                               {"openImages", "picture"},
                                               {"importResults", "import"},
                                               {"datasets", "dataset"},
                                               {"backbone", "backbone"},
                                               {"saveExperiment", "save"},
                                               {"exportFigure", "publish"},
                                               {"exportTable", "table"},
                                               {"exportStream", "export"},
                                               {"quit", "quit"},
                                               {"undo", "undo"},
                                               {"redo", "redo"},
                                               {"findAnything", "search"},
                                               {"shortcuts", "settings"},
                                               {"startRun", "play"},
                                               {"pauseRun", "pause"},
                                               {"stepRun", "step"},
                                               {"stopRun", "stop"},
                                               {"forkHere", "branch"},
                                               {"branches", "branch"},
                                               {"changeRun", "play"},
                                               {"keepCheckpoint", "save"},
                                               {"replayRun", "replay"},
                                               {"replayFaster", "chevron-right"},
                                               {"replaySlower", "chevron-left"},
                                               {"initialSession", "prompts"},
                                               {"compareStreams", "compare"},
                                               {"memory", "memory"},
                                               {"resetLayout", "layout"},
                                               {"welcome", "home"},
                                               {"guide", "help"},
                                               {"keyboard", "keyboard"},
                                               {"about", "info"}};
    const QString name = names.value(command);
    return name.isEmpty() ? QIcon() : icon(name);
}

}  // namespace palimpsest
