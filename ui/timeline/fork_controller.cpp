// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/fork_controller.h"

#include <QAction>
#include <QComboBox>
#include <QPushButton>
#include <QSignalBlocker>
#include <QUndoStack>
#include <set>
#include <utility>

#include "ui/state/key_names.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

/// Topic of why a run cannot be forked, until the next try or until it can.
const QString kTopic = QStringLiteral("fork");
/// Topic of what was changed for a fork that was given up, while one step brings it back.
const QString kChanged = QStringLiteral("forkChanged");

/// "after 1,250 images".
QString placeText(std::int64_t checkpoint) {
    return checkpoint > 0 ? ForkController::tr("after %1 images").arg(countText(checkpoint))
                          : ForkController::tr("from its beginning");
}

/// -1: it fell off the end of a full stack, and cannot be undone any longer.
int indexOf(const QUndoStack& stack, const QUndoCommand* command) {
    for (int i = stack.count() - 1; i >= 0; --i)
        if (stack.command(i) == command) return i;
    return -1;
}

Failure notBoth() {
    return {ForkController::tr("A fork goes on alone, and two lanes are being compared."),
            ForkController::tr("End the comparison, or give the fork up.")};
}

}  // namespace

ForkController::ForkController(WindowState& state, MessageBar* messages, QAction* here)
    : state_(state),
      messages_(messages),
      strip_(new ActionStrip(QStringLiteral("forkStrip"), tr("Fork of a run"))),
      box_(new QComboBox) {
    box_->setObjectName(QStringLiteral("forkCheckpoint"));
    box_->setAccessibleName(tr("Checkpoint"));
    box_->setToolTip(tr("The checkpoint that the fork begins with"));
    box_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    box_->setFocusPolicy(Qt::StrongFocus);
    guardWheel(box_);
    strip_->add(box_);
    QPushButton* end = makeButton(QStringLiteral("forkGiveUp"), tr("Give it up"),
                                  tr("Start begins anew again, with the settings from before the fork; undo brings "
                                     "back those of the fork."));
    end->setFocusPolicy(Qt::TabFocus);
    strip_->add(end);

    here->setEnabled(state_.controller.canFork());
    connect(here, &QAction::triggered, this, &ForkController::forkHere);
    connect(box_, &QComboBox::activated, this, [this](int index) { choose(box_->itemData(index).toLongLong()); });
    connect(end, &QPushButton::clicked, this, &ForkController::discard);
    RunController* controller = &state_.controller;
    connect(controller->bridge(), &RunBridge::started, this, [this] {
        const std::optional<int> turn = std::exchange(starting_, std::nullopt);
        if (!turn) return;
        // In an event of its own: filling in the whole form is slow, and so are figures with a new run.
        QMetaObject::invokeMethod(
            this,
            [this, turn] {
                // Another one may wait by now.
                if (waits() && turn == turn_) finish();
                Q_EMIT begun();
            },
            Qt::QueuedConnection);
    });
    // A fork that was refused can be corrected and started once more.
    connect(controller->bridge(), &RunBridge::ended, this, [this] { starting_.reset(); });
    connect(controller, &RunController::failed, this, [this] { starting_.reset(); });
    connect(controller, &RunController::starting, this, &ForkController::noteStart);
    connect(&state_.lane_b, &LaneDraft::onChanged, this, &ForkController::withdrawMessages);
}

void ForkController::forkHere() {
    if (const ShownRun* run = state_.figures.runs.selected()) return fork(run->id);
    messages_->showLatest(MessageBar::Kind::Note, kTopic, tr("No run is shown, so there is none to fork."),
                          tr("Choose one in the list of runs."));
}

void ForkController::fork(const QString& run) {
    const ShownRun* selected = state_.figures.runs.selected();
    read(run, selected && selected->id == run ? state_.figures.cursor.pinned() : std::nullopt);
}

void ForkController::read(const QString& run, std::optional<std::int64_t> moment) {
    if (!state_.controller.canFork()) return;
    withdrawMessages();
    if (!HistoryStore::hasFolder(run)) {
        messages_->showLatest(MessageBar::Kind::Note, kTopic, tr("This run cannot be forked: it has no folder."),
                              tr("Choose a run of the list that has one."));
        return;
    }
    if (state_.lane_b.on()) {
        messages_->showLatest(MessageBar::Kind::Note, kTopic, notBoth().message, notBoth().hint);
        return;
    }
    background_.runNewest(
        [folder = run.toStdString(), table = &state_.table] { return readForkOrigin(*table, folder); },
        [this, moment](const ForkOrigin& origin) { apply(origin, moment); },
        [this](const Failure& failure) {
            messages_->showLatest(MessageBar::Kind::Error, kTopic, failure.message, failure.hint);
        });
}

void ForkController::apply(const ForkOrigin& origin, std::optional<std::int64_t> moment) {
    const QString name = QString::fromStdString(origin.name);
    const auto checkpoint = origin.checkpointFor(moment);
    if (!checkpoint && origin.ends_only) {
        messages_->showLatest(
            MessageBar::Kind::Note, kTopic,
            tr("“%1” has checkpoints at the end of its stream alone, and a fork would learn nothing.").arg(name),
            tr("Give the setting Room for checkpoints more, and older ones stay."));
        return;
    }
    if (!checkpoint) {
        messages_->showLatest(MessageBar::Kind::Note, kTopic,
                              tr("“%1” has no checkpoints, so it cannot be forked.").arg(name),
                              tr("Runs keep some while the setting Room for checkpoints is above 0."));
        return;
    }
    if (moment && *checkpoint > *moment) {
        messages_->showLatest(MessageBar::Kind::Note, kTopic,
                              tr("“%1” has no checkpoint up to %2 images; its first is %3.")
                                  .arg(name, countText(*moment), placeText(*checkpoint)),
                              tr("Choose a later moment. What came before a fork belongs to the run it branched off."));
        return;
    }
    // One that waited goes first, with its settings.
    const QString changed = changedByHand();
    discard();
    ExperimentDraft* draft = state_.controller.draft();
    ++turn_;
    origin_ = origin;
    at_ = *checkpoint;
    before_ = draft->experiment();
    draft->replace(origin.experimentAt(draft->table(), at_), tr("fork of %1").arg(name));
    // Undo that brings the settings before the fork back gives the fork up.
    const QUndoStack* stack = draft->undoStack();
    const QUndoCommand* mine = stack->index() > 0 ? stack->command(stack->index() - 1) : nullptr;
    disconnect(undone_);
    undone_ = connect(stack, &QUndoStack::indexChanged, this, [this, stack, mine](int index) {
        const int place = indexOf(*stack, mine);
        if (place >= index || stack->count() == 0)
            clear();
        else if (place < 0)
            disconnect(undone_);
    });
    fillBox();
    show();
    reportDiscarded(changed);
}

void ForkController::fillBox() {
    const QSignalBlocker quiet(box_);
    box_->clear();
    for (const std::int64_t checkpoint : origin_->checkpoints)
        box_->addItem(placeText(checkpoint), QVariant::fromValue<qlonglong>(checkpoint));
}

void ForkController::choose(std::int64_t checkpoint) {
    if (!origin_ || checkpoint == at_) return;
    ExperimentDraft* draft = state_.controller.draft();
    const OptionTable& table = draft->table();
    const Experiment before = origin_->experimentAt(table, at_), after = origin_->experimentAt(table, checkpoint);
    at_ = checkpoint;
    Experiment next = draft->experiment();
    bool follows = next.name == before.name;
    if (follows) next.name = after.name;
    std::set<std::string> keys;
    for (const LiveChange& change : origin_->changes) keys.insert(change.key);
    for (const std::string& key : keys) {
        const Option* option = table.find(key);
        if (!option || option->get(before) == option->get(after) || option->get(next) != option->get(before)) continue;
        table.set(next, *option, option->get(after));
        follows = true;
    }
    if (follows) draft->replace(next, tr("another checkpoint for the fork"));
    show();
}

void ForkController::discard() {
    const bool waited = waits();
    const QString changed = changedByHand();
    clear();
    // The fork's name, and the device that it had to have, are not those of the next run.
    if (waited) state_.controller.draft()->replace(before_, tr("return to the settings before the fork"));
    reportDiscarded(changed);
}

void ForkController::finish() {
    ExperimentDraft* draft = state_.controller.draft();
    const Experiment after = draft->movedOnto(before_, handed_);
    clear();
    draft->replace(after, tr("return to the settings before the fork"));
}

QString ForkController::changedByHand() const {
    if (!origin_) return {};
    const ExperimentDraft* draft = state_.controller.draft();
    const Experiment& now = draft->experiment();
    const Experiment brought = origin_->experimentAt(draft->table(), at_);
    const QString settings = differencesText(experimentDifferences(draft->table(), brought, now));
    if (!settings.isEmpty() || now.name == brought.name) return settings;
    return tr("Name: %1 → %2").arg(QString::fromStdString(brought.name), QString::fromStdString(now.name));
}

void ForkController::reportDiscarded(const QString& changed) {
    if (changed.isEmpty()) return;
    messages_->showLatest(
        MessageBar::Kind::Info, kChanged, tr("What was changed for the fork was given up with it: %1.").arg(changed),
        KeyNames::instance().filled(tr("The history of the experiment still has it: {undo} goes back to it.")));
    connect(
        state_.controller.draft()->undoStack(), &QUndoStack::indexChanged, this,
        [this] { messages_->withdraw(kChanged); }, Qt::SingleShotConnection);
}

void ForkController::clear() {
    background_.cancelNewest();
    disconnect(undone_);
    origin_.reset();
    strip_->hide();
    withdrawMessages();
    state_.controller.forgetRefusal();
}

void ForkController::withdrawMessages() {
    messages_->withdraw(kTopic);
}

void ForkController::show() {
    const QString name = QString::fromStdString(origin_->name);
    const QString what = tr("Fork of “%1” %2").arg(name, placeText(at_));
    const QString change = tr("Change mask, method options, learning rate or memory, then start.");
    strip_->setTexts({tr("%1, from its checkpoint. %2").arg(what, change), tr("%1. %2").arg(what, change), what});
    box_->setCurrentIndex(box_->findData(QVariant::fromValue<qlonglong>(at_)));
    strip_->show();
}

std::optional<Failure> ForkController::obstacle() const {
    return origin_ && state_.lane_b.on() ? std::optional(notBoth()) : std::nullopt;
}

void ForkController::noteStart() {
    withdrawMessages();
    starting_.reset();
    if (!std::holds_alternative<ForkLaunch>(state_.controller.launch())) return;
    starting_ = turn_;
    handed_ = state_.controller.draft()->experiment();
}

}  // namespace palimpsest
