// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/lane_draft.h"

#include <QUndoStack>
#include <algorithm>
#include <utility>

#include "ui/state/engine_text.h"
#include "ui/state/undo_steps.h"

namespace palimpsest {

QString differencesText(const std::vector<ExperimentDifference>& differences) {
    QStringList texts;
    for (const ExperimentDifference& difference : differences) texts.append(QString::fromStdString(difference.text()));
    const QString all = texts.join(QStringLiteral("; "));
    return texts.size() < 2 ? all : LaneDraft::tr("%1 differences: %2").arg(texts.size()).arg(all);
}

LaneDraft::LaneDraft(ExperimentDraft* first, QObject* parent)
    : ExperimentDraft(&first->table(), parent), first_(first) {
    setObjectName("laneB");
    connect(first_, &ExperimentDraft::changed, this, &LaneDraft::rebuild);
    connect(first_, &ExperimentDraft::namingChanged, this, [this] { rebuild({}); });
    rebuild({});
}

bool LaneDraft::isShared(const QString& key) {
    return key == "name" || key == "seed" || key == "threads" || key.startsWith("stream.") ||
           key.startsWith("evaluation.");
}

void LaneDraft::begin(const Changes& changes) {
    push({true, changes}, tr("comparison of two lanes"), {}, 0);
}

void LaneDraft::setOn(bool on) {
    if (on == state_.on) return;
    State after = state_;
    after.on = on;
    push(after, on ? tr("beginning of the comparison") : tr("end of the comparison"), {}, 0);
}

bool LaneDraft::set(const QString& key, const OptionValue& value, int gesture) {
    if (isShared(key)) return first_->set(key, value, gesture);
    const Option* option = table().find(key.toStdString());
    if (!option) return false;
    if (option->get(experiment()) == value) return true;
    Experiment next = experiment();
    if (const auto failure = failureOf([&] { table().set(next, *option, value); })) {
        Q_EMIT refused(key, oneText(*failure));
        return false;
    }
    State after = state_;
    if (option->get(first_->experiment()) == value)
        after.changes.erase(option->key);
    else
        after.changes[option->key] = value;
    push(after, tr("change of %1 in lane B").arg(QString::fromStdString(option->title).toLower()), key, gesture);
    return true;
}

void LaneDraft::push(const State& after, const QString& what, const QString& key, int gesture) {
    auto* change =
        new OptionChange<State>(kLaneStep, state_, after, key, gesture, [this](const State& state) { apply(state); });
    change->setText(what);
    first_->undoStack()->push(change);
}

void LaneDraft::restore(const State& state) {
    State known = state;
    std::erase_if(known.changes, [this](const auto& change) {
        return isShared(QString::fromStdString(change.first)) || !table().find(change.first);
    });
    apply(known);
}

void LaneDraft::apply(const State& state) {
    const bool turned = state.on != state_.on, changed = state.changes != state_.changes;
    state_ = state;
    if (changed) rebuild({});
    if (turned) Q_EMIT onChanged(state_.on);
}

void LaneDraft::rebuild(const QString& key) {
    Experiment experiment = first_->experiment();
    for (const auto& [changed, value] : state_.changes) {
        Experiment next = experiment;
        // A file of another version of the program may hold a value that is no longer allowed.
        if (failureOf([&] { table().set(next, *table().find(changed), value); })) continue;
        next.name = first_->nameOf(experiment, next, QString::fromStdString(changed));
        experiment = std::move(next);
    }
    differences_ = experimentDifferences(table(), first_->experiment(), experiment);
    show(experiment, key);
    Q_EMIT differencesChanged();
}

bool LaneDraft::differs(const std::string& key) const {
    return std::any_of(differences_.begin(), differences_.end(),
                       [&](const ExperimentDifference& difference) { return difference.option->key == key; });
}

}  // namespace palimpsest
