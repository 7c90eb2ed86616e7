// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/undo_steps.h"

#include <QScopedValueRollback>
#include <QUndoStack>
#include <memory>
#include <utility>

namespace palimpsest {
namespace {

class UndoStep : public QUndoCommand {
public:
    UndoStep(const QString& what, std::shared_ptr<std::function<void()>> action)
        : QUndoCommand(what), action_(std::move(action)) {}
    /// Expires with the step, which the stack may drop at any time.
    std::weak_ptr<bool> life() const { return life_; }
    void redo() override {}
    void undo() override {
        setObsolete(true);  // removed from the stack, since there is no redo
        if (const auto action = std::exchange(*action_, {})) action();
    }

private:
    std::shared_ptr<std::function<void()>> action_;  ///< empty once it was undone
    std::shared_ptr<bool> life_ = std::make_shared<bool>(true);
};

}  // namespace

std::function<void()> addUndoStep(QUndoStack* stack, const QString& what, const std::function<void()>& undo) {
    const auto action = std::make_shared<std::function<void()>>(undo);
    auto* step = new UndoStep(what, action);
    const std::weak_ptr<bool> life = step->life();
    stack->push(step);
    return [stack, step, life, action] {
        if (!*action) return;
        // The newest step is undone as if by Undo; one with others above it stays, and does nothing any more.
        if (!life.expired() && stack->index() > 0 && stack->command(stack->index() - 1) == step)
            stack->undo();
        else
            std::exchange(*action, {})();
    };
}

class ViewChange : public QUndoCommand {
public:
    ViewChange(ViewHistory* history, ViewState before, ViewState after, const QString& what, bool continues)
        : QUndoCommand(what),
          history_(history),
          before_(std::move(before)),
          after_(std::move(after)),
          continues_(continues) {}

    void undo() override { history_->apply(before_); }
    void redo() override {
        // When it is pushed the change has already been made.
        if (std::exchange(made_, true)) history_->apply(after_);
    }
    int id() const override { return continues_ ? kViewStep : -1; }
    bool mergeWith(const QUndoCommand* other) override {
        if (other->text() != text()) return false;
        after_ = static_cast<const ViewChange*>(other)->after_;
        setObsolete(after_ == before_);
        return true;
    }

private:
    ViewHistory* history_;
    ViewState before_, after_;
    bool continues_;
    bool made_ = false;
};

ViewHistory::ViewHistory(QUndoStack* stack, std::function<ViewState()> read,
                         std::function<void(const ViewState&)> apply, QObject* parent)
    : QObject(parent), stack_(stack), read_(std::move(read)), apply_(std::move(apply)), last_(read_()) {
    settling_.setSingleShot(true);
    settling_.setInterval(0);
    connect(&settling_, &QTimer::timeout, this, [this] { last_ = read_(); });
}

void ViewHistory::record(const QString& what, bool continues) {
    if (showing_) return;
    ViewState now = read_();
    if (now == last_) return;
    stack_->push(new ViewChange(this, std::exchange(last_, now), now, what, continues));
}

void ViewHistory::settle() {
    settling_.start();
}

void ViewHistory::apply(const ViewState& state) {
    const QScopedValueRollback guard(showing_, true);
    apply_(state);
    last_ = read_();
}

}  // namespace palimpsest
