// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <string>

#include "app/tour/tour.h"
#include "ui/style/theme.h"

namespace palimpsest {

/// Command line arguments of the window.
struct GuiArguments {
    QString open;  ///< empty: the last open experiment, else the default
    std::optional<Appearance> appearance;
    std::optional<TourPlan> tour;
    QByteArray scale;
    QByteArray platform;
    bool clean = false;
    bool time_start = false;
    bool help = false;
    bool version = false;
};

/// Parses the arguments before there is an application, since help, version and a missing display come first. Throws
/// Error(Input).
GuiArguments parseGuiArguments(int argc, char** argv);

/// What --help prints.
std::string windowHelp();

/// Appearance by its name on the command line and in the settings. Throws Error(Input) for any other.
Appearance appearanceNamed(const QString& name);
const char* nameOf(Appearance appearance);

}  // namespace palimpsest
