// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "engine/run/run_events.h"

namespace palimpsest {

/// A number as users write it: "1e-3", "0,01", "0.01", "1.234,5"; of a `whole` one "10000" or "10,000". Absent where
/// the text is none, or can be read in two ways: "1.000" of a whole number, "1,000" of another.
std::optional<double> numberFromText(const QString& text, bool whole);

/// "21 s", "3 min 20 s", "2 h 5 min": a duration, rounded to what matters.
QString durationText(double seconds);
/// A number with its unit, or other words that no line parts.
QString unbrokenText(QString text);
/// "214 images/s · 21 s left"; the second part only when it is known.
QString paceText(const Progress& progress);

}  // namespace palimpsest
