// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QList>
#include <QString>
#include <functional>

namespace palimpsest {

/// A command that the user can find in the command palette.
struct PaletteCommand {
    QString name;     ///< stable and unique: "action.startRun", "option.seed"
    QString title;    ///< "Start or resume"
    QString group;    ///< "Run", "Preset", "Help", "Setting"
    QString more;     ///< further words it is found by, not shown
    QString keys;     ///< its shortcut as written on a keyboard; may be empty
    QString refusal;  ///< why it cannot be done at the moment; empty: it can
    std::function<void()> run;
    QIcon icon = {};
};

}  // namespace palimpsest
