// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QString>
#include <vector>

#include "engine/config/option_table.h"
#include "ui/state/run_label.h"

namespace palimpsest {

struct ShownRun;

/// A run of the store, as runLabels() asks for it.
LabelledRun labelled(const ShownRun& run);

/// What runs are called, by id: visible ones stand together, each hidden one stands alone.
QHash<QString, QString> curveLabels(const OptionTable& table, const std::vector<const ShownRun*>& runs);

}  // namespace palimpsest
