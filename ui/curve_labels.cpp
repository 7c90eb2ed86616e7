// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/curve_labels.h"

#include "ui/curve_store.h"
#include "ui/run_label.h"

namespace palimpsest {

QHash<QString, QString> curveLabels(const OptionTable& table, const std::vector<const RunCurves*>& runs) {
    QHash<QString, QString> labels;
    std::vector<LabelledRun> experiments;
    QStringList ids;
    for (const RunCurves* run : runs) {
        if (run->imported) {
            labels[run->id] = run->name;
            continue;
        }
        const LabelledRun labelled(&run->experiment, run->changesOfItsOwn(), run->given);
        if (!run->visible) {
            labels[run->id] = runLabels(table, {labelled}).first();
            continue;
        }
        experiments.push_back(labelled);
        ids.push_back(run->id);
    }
    const QStringList visible = runLabels(table, experiments);
    for (int i = 0; i < ids.size(); ++i) labels[ids[i]] = visible[i];
    return labels;
}

}  // namespace palimpsest
