// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

namespace palimpsest {

/// A number as people write it: "1e-3", "0,01", "0.01", "1.234,5"; of a `whole` one "10000" or "10,000". Nothing where
/// it is none, or where it can be read in two ways: "1.000" of a whole number, "1,000" of another.
std::optional<double> numberFromText(const QString& text, bool whole);

}  // namespace palimpsest
