// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/experiment_naming.h"

#include <QCoreApplication>
#include <algorithm>
#include <utility>

#include "ui/state/run_label.h"

namespace palimpsest {
namespace {

QString translated(const char* text) {
    return QCoreApplication::translate("ExperimentNaming", text);
}

/// The same experiment over again, elsewhere or with other dice.
bool repeats(const QString& key) {
    return key == "seed" || key == "device" || key == "precision" || key == "threads";
}

}  // namespace

ExperimentNaming::ExperimentNaming(const OptionTable* table, QStringList presets)
    : table_(table), presets_(std::move(presets)), untitled_(QString::fromStdString(table->defaults().name)) {}

QString ExperimentNaming::edited(const QString& preset) const {
    return translated("%1 (edited)").arg(preset);
}

QString ExperimentNaming::description(const Experiment& experiment) const {
    QStringList parts{methodText(table_->catalogue(), experiment)};
    if (table_->idleReason(experiment, *table_->find("mask.name")).empty())
        parts.append(maskText(experiment).toLower());
    if (experiment.memory.size > 0) parts.append(translated("%1 replayed").arg(experiment.memory.size));
    return parts.join(QStringLiteral(", "));
}

bool ExperimentNaming::described(const Experiment& experiment) const {
    return QString::fromStdString(experiment.name) == description(experiment);
}

bool ExperimentNaming::isMade(const Experiment& experiment) const {
    const QString name = QString::fromStdString(experiment.name);
    return presets_.contains(name) || name == untitled_ || described(experiment) ||
           std::any_of(presets_.begin(), presets_.end(), [&](const QString& title) { return edited(title) == name; });
}

std::string ExperimentNaming::nameOf(const Experiment& before, const Experiment& after, const QString& key) const {
    const QString name = QString::fromStdString(before.name);
    const bool preset = presets_.contains(name);
    if (!isMade(before) || repeats(key)) return after.name;
    if (key == "method.name" || key == "mask.name" || key == "memory.size") return description(after).toStdString();
    return preset ? edited(name).toStdString() : after.name;
}

}  // namespace palimpsest
