// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/curve_labels.h"

#include "ui/state/run_label.h"
#include "ui/state/run_set.h"

namespace palimpsest {

LabelledRun labelled(const ShownRun& run) {
    LabelledRun made(&run.experiment, run.changesOfItsOwn());
    made.known = !run.imported;
    return made;
}

QHash<QString, QString> curveLabels(const OptionTable& table, const std::vector<const ShownRun*>& runs) {
    QHash<QString, QString> labels;
    std::vector<LabelledRun> together;
    QStringList ids;
    for (const ShownRun* run : runs) {
        if (run->visible) {
            together.push_back(labelled(*run));
            ids.push_back(run->id);
        } else {
            labels[run->id] = runLabels(table, {labelled(*run)}).first();
        }
    }
    const QStringList visible = runLabels(table, together);
    for (int i = 0; i < ids.size(); ++i) labels[ids[i]] = visible[i];
    return labels;
}

}  // namespace palimpsest
