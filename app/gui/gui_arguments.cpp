// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/gui_arguments.h"

#include <sstream>

#include "app/documents/window_flags.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::size_t kColumn = 35;  // where explanations begin
constexpr std::size_t kWidth = 120;

/// A flag with its explanation beside it, or below a flag that is too long for that.
std::string helpRow(const WindowFlag& flag) {
    std::string row = "  " + std::string(flag.flag) + (*flag.value ? " " : "") + flag.value;
    if (row.size() + 1 > kColumn) row += "\n" + std::string(kColumn, ' ');
    std::size_t width = row.size() - (row.rfind('\n') + 1);
    row += std::string(kColumn - width, ' ');
    width = kColumn;
    std::istringstream words(flag.help);
    for (std::string word; words >> word;) {
        const bool first = width == kColumn;
        if (!first && width + 1 + word.size() > kWidth) {
            row += "\n" + std::string(kColumn, ' ') + word;
            width = kColumn + word.size();
            continue;
        }
        row += (first ? "" : " ") + word;
        width += (first ? 0 : 1) + word.size();
    }
    return row + "\n";
}

}  // namespace

std::string windowHelp() {
    std::string text = "palimpsest " + std::string(kWindowUsage) + " [options]\n" + kProgramSummary + ".\n\n";
    for (const WindowFlag& flag : kWindowFlags) text += helpRow(flag);
    return text + "\nWithout a display use palimpsest-cli, which runs the same experiments.\n";
}

Appearance appearanceNamed(const QString& name) {
    if (name == "system") return Appearance::System;
    if (name == "dark") return Appearance::Dark;
    if (name == "light") return Appearance::Light;
    if (name == "projector") return Appearance::Projector;
    throw inputError("There is no appearance \"" + name.toStdString() + "\".", "Use system, dark, light or projector.");
}

const char* nameOf(Appearance appearance) {
    switch (appearance) {
        case Appearance::Dark:
            return "dark";
        case Appearance::Light:
            return "light";
        case Appearance::Projector:
            return "projector";
        case Appearance::System:
            break;
    }
    return "system";
}

GuiArguments parseGuiArguments(int argc, char** argv) {
    GuiArguments arguments;
    std::int64_t limit = 0;
    for (int i = 1; i < argc; ++i) {
        const QString word = QString::fromLocal8Bit(argv[i]);
        const auto value = [&] {
            if (i + 1 >= argc) throw inputError("After " + word.toStdString() + " comes a value.", "See --help.");
            return QString::fromLocal8Bit(argv[++i]);
        };
        if (word == "--help" || word == "-h")
            arguments.help = true;
        else if (word == "--version")
            arguments.version = true;
        else if (word == "--clean")
            arguments.clean = true;
        else if (word == "--time-start")
            arguments.time_start = true;
        else if (word == "--appearance")
            arguments.appearance = appearanceNamed(value());
        else if (word == "--tour")
            arguments.tour = TourPlan{value(), 0};
        else if (word == "--tour-limit") {
            bool ok = false;
            limit = value().toLongLong(&ok);
            if (!ok || limit < 1) throw inputError("--tour-limit needs a number of images above 0.");
        } else if (word == "--scale") {
            bool ok = false;
            const QString factor = value();
            if (const double number = factor.toDouble(&ok); !ok || number < 0.5 || number > 4)
                throw inputError("--scale needs a number from 0.5 to 4.");
            arguments.scale = factor.toLocal8Bit();
        } else if (word == "-platform" || word == "--platform")
            arguments.platform = value().toLocal8Bit();
        else if (word.startsWith('-'))
            throw inputError("There is no option " + word.toStdString() + ".", "See palimpsest --help.");
        else if (!arguments.open.isEmpty())
            throw inputError("Only one run, experiment or preset can be opened at a time.", "See palimpsest --help.");
        else
            arguments.open = word;
    }
    if (limit > 0 && !arguments.tour)
        throw inputError("--tour-limit says how long the runs of a tour are, but there is no --tour.",
                         "Add --tour DIR, or leave --tour-limit out.");
    if (arguments.tour) arguments.tour->train_limit = limit;
    return arguments;
}

}  // namespace palimpsest
