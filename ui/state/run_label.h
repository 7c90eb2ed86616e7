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

/// Texts for the choices of an experiment: "Fashion-MNIST", "DualPrompt", "Batch mask", "No mask". Titles come from the
/// catalogue; a value it does not know is shown as written.
QString datasetText(const Catalogue& catalogue, const Experiment& experiment);
QString methodText(const Catalogue& catalogue, const Experiment& experiment);
QString maskText(const Experiment& experiment);
/// Name given by the user, a preset or the program; without one the name of its method.
QString nameText(const Catalogue& catalogue, const Experiment& experiment);
/// "none", or the name of the prompt file.
QString promptsText(const Experiment& experiment);
/// "5 sessions, 1 update per batch, batches of 32": settings that the texts above do not name.
QString detailsText(const Experiment& experiment);

/// "Logit mask: seen", by the titles of the table; a key that it does not know is shown as written.
QString changeText(const OptionTable& table, const LiveChange& change);

/// The parts of a run's label.
struct LabelledRun {
    LabelledRun(const Experiment* begun, std::vector<LiveChange> made = {})
        : experiment(begun), changes(std::move(made)), name(QString::fromStdString(begun->name)) {}
    const Experiment* experiment;     ///< as it began
    std::vector<LiveChange> changes;  ///< made on its way
    QString name;                     ///< of the experiment; empty: the name of its method is used
    bool known = true;                ///< false: of its settings only the name is known, as of imported results
};
/// The parts of a shown run's label.
LabelledRun labelled(const ShownRun& run);

/// Labels of runs that stand together, the same in all of the window: each has its nameText(), and those of
/// one name also by how they differ: "memory 40, batch mask", "memory 40, seed 2". An option
/// that changes nothing in a run is left out, and so is one that its name contains already; a mask or a learning rate
/// that was changed during the run is named with its later values: "memory 40, batch → none mask". Runs of one name
/// that differ in nothing are numbered. A place with less room shortens a label at its end.
QStringList runLabels(const OptionTable& table, const std::vector<LabelledRun>& runs);

}  // namespace palimpsest
