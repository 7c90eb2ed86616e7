// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/saved_experiment.h"

#include "engine/config/experiment_file.h"
#include "ui/state/experiment_draft.h"

namespace palimpsest {

SavedExperiment::SavedExperiment(const ExperimentDraft* draft, QObject* parent) : QObject(parent), draft_(draft) {
    connect(draft_, &ExperimentDraft::changed, this, &SavedExperiment::changed);
}

bool SavedExperiment::modified() const {
    return !file_.isEmpty() && formatExperiment(draft_->table(), draft_->experiment()) != text_;
}

void SavedExperiment::keep(const QString& file, const Experiment& experiment) {
    file_ = file;
    text_ = formatExperiment(draft_->table(), experiment);
    Q_EMIT changed();
}

void SavedExperiment::recall(const QString& file, const QString& text) {
    file_ = file;
    text_ = text.toStdString();
    Q_EMIT changed();
}

}  // namespace palimpsest
