// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

struct RunCurves;

/// What runs are called in the plots, by id: visible ones by how they differ from each other, each hidden one as if it
/// stood alone, imported ones by their names.
QHash<QString, QString> curveLabels(const OptionTable& table, const std::vector<const RunCurves*>& runs);

}  // namespace palimpsest
