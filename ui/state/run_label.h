// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/live_change.h"

namespace palimpsest {

struct ShownRun;

/// Words for what an experiment chose: "Fashion-MNIST", "DualPrompt", "Batch mask", "No mask". Titles come from the
/// catalogue; a value it does not know is shown as written.
QString datasetText(const Catalogue& catalogue, const Experiment& experiment);
QString methodText(const Catalogue& catalogue, const Experiment& experiment);
QString maskText(const Experiment& experiment);
/// Name given by the user, a preset or the program; without one that of its method.
QString nameText(const Catalogue& catalogue, const Experiment& experiment);
/// "none", or the name of the prompt file.
QString promptsText(const Experiment& experiment);
/// "5 sessions, 1 update per batch, batches of 32": what the names above leave open.
QString detailsText(const Experiment& experiment);

/// "Logit mask: seen", by the titles of the table; a key that it does not know is shown as written.
QString changeText(const OptionTable& table, const LiveChange& change);

/// The parts of a run's label.
struct LabelledRun {
    LabelledRun(const Experiment* begun, std::vector<LiveChange> made = {})
        : experiment(begun), changes(std::move(made)), name(QString::fromStdString(begun->name)) {}
    const Experiment* experiment;     ///< as it began
    std::vector<LiveChange> changes;  ///< made on its way
    QString name;                     ///< of the experiment; empty: it goes by that of its method
    bool known = true;                ///< false: of its settings only the name is known, as of imported results
};
/// The parts of a shown run's label.
LabelledRun labelled(const ShownRun& run);

/// Labels of runs that stand together, the same in all of the window: each has its nameText(), and those of
/// one name also by how they differ: "memory 40, batch mask", "memory 40, seed 2". What changes nothing in a run is not
/// told of it, nor what its name says already; a mask or a learning rate that was changed on the way is told with what
/// it became: "memory 40, batch → none mask". Runs of one name that differ in nothing are numbered. A place with less
/// room shortens a label at its end.
QStringList runLabels(const OptionTable& table, const std::vector<LabelledRun>& runs);

}  // namespace palimpsest
