// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/experiment_draft.h"

#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"
#include "ui/state/run_label.h"
#include "ui/state/undo_steps.h"

namespace palimpsest {
namespace {

/// The option changes nothing but where the experiment runs, or its random numbers.
bool repeats(const QString& key) {
    return key == "seed" || key == "device" || key == "precision" || key == "threads";
}

}  // namespace

ExperimentNaming::ExperimentNaming(const OptionTable* table, QStringList presets)
    : table_(table), presets_(std::move(presets)), untitled_(QString::fromStdString(table->defaults().name)) {}

QString ExperimentNaming::edited(const QString& preset) const {
    return tr("%1 (edited)").arg(preset);
}

QString ExperimentNaming::description(const Experiment& experiment) const {
    QStringList parts{methodText(table_->catalogue(), experiment)};
    if (table_->idleReason(experiment, *table_->find("mask.name")).empty())
        parts.append(maskText(experiment).toLower());
    if (experiment.memory.size > 0) parts.append(tr("%1 replayed").arg(experiment.memory.size));
    return parts.join(QStringLiteral(", "));
}

bool ExperimentNaming::described(const Experiment& experiment) const {
    return QString::fromStdString(experiment.name) == description(experiment);
}

bool ExperimentNaming::isAutomatic(const Experiment& experiment) const {
    const QString name = QString::fromStdString(experiment.name);
    return presets_.contains(name) || name == untitled_ || described(experiment) ||
           std::any_of(presets_.begin(), presets_.end(), [&](const QString& title) { return edited(title) == name; });
}

std::string ExperimentNaming::nameOf(const Experiment& before, const Experiment& after, const QString& key) const {
    const QString name = QString::fromStdString(before.name);
    const bool preset = presets_.contains(name);
    if (!isAutomatic(before) || repeats(key)) return after.name;
    if (key == "method.name" || key == "mask.name" || key == "memory.size") return description(after).toStdString();
    return preset ? edited(name).toStdString() : after.name;
}

ExperimentDraft::ExperimentDraft(const OptionTable* table, QObject* parent)
    : QObject(parent), table_(table), experiment_(table->defaults()), undo_(new QUndoStack(this)) {
    undo_->setUndoLimit(500);
    show(experiment_, {});
}

// The history emits that it is empty while it is destroyed, and its listeners would use a draft that is half gone.
ExperimentDraft::~ExperimentDraft() {
    undo_->blockSignals(true);
}

bool ExperimentDraft::set(const QString& key, const OptionValue& value, int gesture) {
    const Option* option = table_->find(key.toStdString());
    if (!option) return false;
    if (option->get(experiment_) == value) return true;
    Experiment next = experiment_;
    try {
        table_->set(next, *option, value);
    } catch (const Error& error) {
        Q_EMIT refused(key, withOptionTitles(error.sentence()));
        return false;
    }
    if (key != QLatin1String("name")) next.name = nameOf(experiment_, next, key);
    push(std::move(next), tr("change of %1").arg(QString::fromStdString(option->title).toLower()), key, gesture);
    return true;
}

std::optional<Failure> ExperimentDraft::notTaken(const QString& undone) const {
    if (refusals_.isEmpty()) return std::nullopt;
    return Failure{tr("%1: a field shows a text that was not taken.").arg(undone), refusal()};
}

void ExperimentDraft::setRefusal(const QString& field, const QString& why) {
    if (why.isEmpty())
        refusals_.remove(field);
    else
        refusals_.insert(field, why);
}

void ExperimentDraft::setNaming(Naming naming) {
    naming_ = std::move(naming);
    Q_EMIT namingChanged();
}

Experiment ExperimentDraft::movedOnto(const Experiment& onto, const Experiment& since) const {
    Experiment moved = onto, followed = since;
    for (const Option& option : table_->options()) {
        const OptionValue value = option.get(experiment_);
        if (option.key == "name" || option.get(since) == value) continue;
        for (Experiment* each : {&moved, &followed}) {
            Experiment next = *each;
            table_->set(next, option, value);
            next.name = nameOf(*each, next, QString::fromStdString(option.key));
            *each = std::move(next);
        }
    }
    // A name that did not come of the other changes was typed.
    if (experiment_.name != followed.name) moved.name = experiment_.name;
    return moved;
}

void ExperimentDraft::replace(const Experiment& experiment, const QString& what) {
    push(experiment, what, {}, 0);
}

void ExperimentDraft::push(Experiment next, const QString& what, const QString& key, int gesture) {
    auto* change = new OptionChange<Experiment>(kDraftStep, experiment_, std::move(next), key, gesture,
                                                [this, key](const Experiment& state) { show(state, key); });
    change->setText(what);
    undo_->push(change);
}

void ExperimentDraft::restart(const Experiment& experiment) {
    undo_->clear();
    show(experiment, {});
}

void ExperimentDraft::show(const Experiment& experiment, const QString& key) {
    const bool renamed = !key.isEmpty() && key != QLatin1String("name") && experiment.name != experiment_.name;
    experiment_ = experiment;
    Q_EMIT changed(key);
    if (renamed) Q_EMIT changed(QStringLiteral("name"));
    QStringList problems;
    for (const std::string& problem : table_->problems(experiment_)) problems.append(withOptionTitles(problem));
    if (problems == problems_) return;
    problems_ = problems;
    Q_EMIT problemsChanged();
}

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
