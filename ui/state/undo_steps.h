// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QUndoCommand>
#include <QVariantMap>
#include <functional>
#include <utility>

#include "ui/style/theme.h"

class QUndoStack;

namespace palimpsest {

/// Pushes an action that was already done onto the undo stack, so that the user's last action is undone first, be it a
/// setting, a view or a deletion. Redo does not repeat it. Returns a function that undoes it from elsewhere, such as a
/// button; it is undone once, whichever way is used. The stack must outlive the function.
std::function<void()> addUndoStep(QUndoStack* stack, const QString& what, const std::function<void()>& undo);

/// QUndoCommand::id() of steps that may be merged.
enum UndoStepId { kDraftStep = 1, kViewStep, kLaneStep };

/// A change of an option as a step of the undo stack; changes of one gesture are one step.
template <class State>
class OptionChange : public QUndoCommand {
public:
    /// `gesture` 0: a step of its own.
    OptionChange(UndoStepId id, State before, State after, QString key, int gesture,
                 std::function<void(const State&)> apply)
        : id_(gesture == 0 ? -1 : id),
          before_(std::move(before)),
          after_(std::move(after)),
          key_(std::move(key)),
          gesture_(gesture),
          apply_(std::move(apply)) {}

    void undo() override { apply_(before_); }
    void redo() override { apply_(after_); }
    int id() const override { return id_; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* change = static_cast<const OptionChange*>(other);
        if (change->key_ != key_ || change->gesture_ != gesture_) return false;
        after_ = change->after_;
        return true;
    }

private:
    const int id_;
    const State before_;
    State after_;
    const QString key_;
    const int gesture_;
    const std::function<void(const State&)> apply_;
};

/// State of the window's view: all that can be undone without the experiment changing.
struct ViewState {
    QByteArray arrangement;  ///< of the panels
    Appearance appearance = Appearance::System;
    TextSize text_size = TextSize::Normal;
    QStringList tables;   ///< figures that show their table
    QVariantMap drawing;  ///< options of the curves
    bool operator==(const ViewState&) const = default;
};

/// Pushes changes of the view onto the undo stack of the experiment, so that Undo reverts the last change of either.
class ViewHistory : public QObject {
    Q_OBJECT
public:
    /// `read` returns the present state, `apply` restores another one.
    ViewHistory(QUndoStack* stack, std::function<ViewState()> read, std::function<void(const ViewState&)> apply,
                QObject* parent = nullptr);

    /// Records a change of the view by the user. `what`: "hiding of Runs". `continues`: the same change goes on, as
    /// while a panel is dragged from place to place.
    void record(const QString& what, bool continues = false);
    /// Accepts a change that is no step, such as another size of the window.
    void settle();

private:
    friend class ViewChange;
    void apply(const ViewState& state);

    QUndoStack* stack_;
    const std::function<ViewState()> read_;
    const std::function<void(const ViewState&)> apply_;
    ViewState last_;
    QTimer settling_{this};
    bool showing_ = false;
};

}  // namespace palimpsest
