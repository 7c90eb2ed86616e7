// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/live_change_controller.h"

#include <QAction>
#include <QPushButton>
#include <algorithm>

#include "engine/run/live_change.h"
#include "ui/commands/action_book.h"
#include "ui/state/engine_text.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

/// Topic of messages about changes that the run refuses, until the next try.
const QString kTopic = QStringLiteral("live change");

/// "logit mask seen, learning rate 0.001".
QString changesText(const std::vector<ExperimentDifference>& differences) {
    QStringList texts;
    for (const ExperimentDifference& each : differences)
        texts.append(QString::fromStdString(each.option->title).toLower() + ' ' + QString::fromStdString(each.after));
    return texts.join(QStringLiteral(", "));
}

bool isShared(const ExperimentDifference& difference) {
    return LaneDraft::isShared(QString::fromStdString(difference.option->key));
}

}  // namespace

LiveChangeController::LiveChangeController(RunController* controller, MessageBar* messages, QAction* change)
    : controller_(controller),
      messages_(messages),
      change_(change),
      strip_(new ActionStrip(QStringLiteral("liveStrip"), tr("Changes of the run that goes on"))) {
    QPushButton* apply = makeButton(QStringLiteral("liveChange"), tr("Change the run"), {});
    QPushButton* revert =
        makeButton(QStringLiteral("liveTakeBack"), tr("Take back"), tr("The experiment is again what the run has"));
    for (QPushButton* button : {apply, revert}) {
        // No focus by click: Space keeps meaning pause and resume after one.
        button->setFocusPolicy(Qt::TabFocus);
        strip_->add(button);
    }
    apply_ = apply;
    revert_ = revert;
    const auto updateTip = [apply, change] {
        apply->setToolTip(ActionBook::tip(tr("The run takes this over with its next batch"), change));
    };
    connect(change, &QAction::changed, apply, updateTip);  // the user may change its keys
    updateTip();
    connect(change, &QAction::triggered, this, &LiveChangeController::applyChanges);
    connect(apply, &QPushButton::clicked, this, &LiveChangeController::applyChanges);
    connect(revert, &QPushButton::clicked, this, &LiveChangeController::revert);

    connect(controller->bridge(), &RunBridge::started, this, &LiveChangeController::refresh);
    connect(controller->bridge(), &RunBridge::ended, this, [this] {
        messages_->withdraw(kTopic);
        ignored_.clear();
        refresh();
    });
    connect(controller, &RunController::stateChanged, this, &LiveChangeController::refresh);
    connect(controller, &RunController::runningChanged, this, &LiveChangeController::refresh);
    connect(controller, &RunController::expectedChanged, this, &LiveChangeController::refresh);
    connect(controller->draft(), &ExperimentDraft::changed, this, &LiveChangeController::refresh);
    refresh();
}

bool LiveChangeController::open() const {
    const RunLane& lane = controller_->lane(0);
    return lane.begun() && controller_->canStop() && !controller_->replaying() &&
           (lane.state() == RunState::Running || lane.state() == RunState::Paused);
}

std::vector<ExperimentDifference> LiveChangeController::waiting() const {
    if (!open()) return {};
    const ExperimentDraft* draft = controller_->draft();
    auto differences = experimentDifferences(draft->table(), controller_->expected(), draft->experiment());
    std::erase_if(differences, [this](const ExperimentDifference& each) {
        return each.option->effect != OptionEffect::NextBatch || ignored_.contains(each.option->key);
    });
    return differences;
}

void LiveChangeController::ignoreDraft() {
    const ExperimentDraft* draft = controller_->draft();
    ignored_.clear();
    for (const Option& option : draft->table().options())
        if (option.effect == OptionEffect::NextBatch) ignored_[option.key] = option.get(draft->experiment());
    refresh();
}

void LiveChangeController::applyChanges() {
    messages_->withdraw(kTopic);
    const ExperimentDraft* draft = controller_->draft();
    const OptionTable& table = draft->table();
    Experiment coming = controller_->expected();
    std::vector<LiveChange> changes, shared;
    for (const ExperimentDifference& each : waiting()) {
        const LiveChange change{each.option->key, table.text(draft->experiment(), *each.option)};
        if (const auto refusal = failureOf([&] { requireLive(table, coming, change); })) {
            const Failure shown_failure = withOptionTitles(*refusal);
            messages_->showMessage(MessageBar::Kind::Error, shown_failure.message, shown_failure.hint, {}, kTopic);
            continue;
        }
        table.setText(coming, change.key, change.value);
        changes.push_back(change);
        // Shared options, those of the evaluation, stay the same in both lanes.
        if (isShared(each)) shared.push_back(change);
    }
    controller_->change(changes);
    if (controller_->paired()) controller_->change(shared, 1);
    refresh();
}

void LiveChangeController::revert() {
    messages_->withdraw(kTopic);
    ExperimentDraft* draft = controller_->draft();
    const Experiment run = controller_->expected();
    Experiment back = draft->experiment();
    for (const ExperimentDifference& each : waiting()) draft->table().set(back, *each.option, each.option->get(run));
    draft->replace(back, tr("return to what the run has"));
}

void LiveChangeController::refresh() {
    const ExperimentDraft* draft = controller_->draft();
    std::erase_if(ignored_, [draft](const auto& each) {
        return draft->table().find(each.first)->get(draft->experiment()) != each.second;
    });
    const auto differences = waiting();
    change_->setEnabled(!differences.empty());
    apply_->setVisible(!differences.empty());
    revert_->setVisible(!differences.empty());
    const bool shown = open() && (!differences.empty() || controller_->hasPendingChanges());
    if (shown && differences.empty()) {
        strip_->setTexts({tr("The run takes your changes over with its next batch.")});
    } else if (shown && controller_->paired()) {
        const QString what = tr("Not yet in lane A, which goes on: %1.").arg(changesText(differences));
        const bool both = std::any_of(differences.begin(), differences.end(), isShared);
        strip_->setTexts(
            {both ? tr("%1 Lane B is tested as lane A is.").arg(what) : tr("%1 Lane B stays as it is.").arg(what),
             what});
    } else if (shown) {
        strip_->setTexts({tr("Not yet in the running experiment: %1.").arg(changesText(differences)),
                          tr("Not yet in the run: %1.").arg(changesText(differences)), tr("Not yet in the run")});
    }
    strip_->setVisible(shown);
}

}  // namespace palimpsest
