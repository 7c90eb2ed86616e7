// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QCustomPlot;

namespace palimpsest {

enum class FigureKind { Drawing, Numbers };

/// What a file of this name holds: a drawing (.png, .svg, .pdf) or numbers (.csv). Throws Error(Input) for another
/// ending.
FigureKind figureKindOf(const QString& file);
/// Draws the plot as it stands (.png at 2x) and returns what writes the file; that may run on any thread and throws
/// Error(Input). `title`: of the figure.
std::function<void()> drawingWriter(QCustomPlot& plot, const QString& title, const QString& file);
/// The same for numbers as text.
std::function<void()> numbersWriter(const QString& csv, const QString& file);

}  // namespace palimpsest
