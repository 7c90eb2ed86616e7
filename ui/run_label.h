// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/live_change.h"

namespace palimpsest {

/// Words for what an experiment chose: "Fashion-MNIST", "DualPrompt", "Batch mask", "No mask". Titles come from the
/// catalogue; a value it does not know is shown as written.
QString datasetText(const Catalogue& catalogue, const Experiment& experiment);
QString methodText(const Catalogue& catalogue, const Experiment& experiment);
QString maskText(const Experiment& experiment);
/// "none", or the name of the prompt file.
QString promptsText(const Experiment& experiment);
/// "5 sessions, 1 update per batch, batches of 32": what the names above leave open.
QString detailsText(const Experiment& experiment);

/// "Logit mask: seen", by the titles of the table; a key that it does not know is shown as written.
QString changeText(const OptionTable& table, const LiveChange& change);

/// What a name is made of.
struct LabelledRun {
    LabelledRun(const Experiment* begun, std::vector<LiveChange> made = {}, QString given = {})
        : experiment(begun), changes(std::move(made)), name(std::move(given)) {}
    const Experiment* experiment;     ///< as it began
    std::vector<LiveChange> changes;  ///< made on its way
    QString name;                     ///< that a person gave it; empty: none
};

/// A short name for each run that says how it differs from the others: "Batch mask" and "No mask". What changes nothing
/// in a run is not told of it; runs that differ in nothing are numbered. A single run is named by its mask, or by its
/// method where that has a mask of its own. A mask or a learning rate that was changed on the way is told with what it
/// became: "Batch → none mask". What a person named goes by that name, and runs of one name say how these differ:
/// "memory 40, batch mask".
QStringList runLabels(const OptionTable& table, const std::vector<LabelledRun>& runs);

}  // namespace palimpsest
