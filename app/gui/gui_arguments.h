// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

#include "app/tour/tour.h"
#include "ui/style/theme.h"

namespace palimpsest {

/// Arguments of the command line.
struct GuiArguments {
    QString open;  ///< empty: what was open last time, else the default
    std::optional<Appearance> appearance;
    std::optional<TourPlan> tour;
    QByteArray scale;
    QByteArray platform;
    bool clean = false;
    bool time_start = false;
    bool help = false;
    bool version = false;
};

/// Own parsing, because help, version and a missing display have to be dealt with before there is an application.
/// Throws Error(Input).
GuiArguments parseGuiArguments(int argc, char** argv);

/// By the name that command line and settings know it by. Throws Error(Input) for any other.
Appearance appearanceNamed(const QString& name);
const char* nameOf(Appearance appearance);

}  // namespace palimpsest
