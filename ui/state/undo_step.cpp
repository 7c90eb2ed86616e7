// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/undo_step.h"

#include <QUndoCommand>
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
        setObsolete(true);  // gone from the stack, which has nothing to do again
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

}  // namespace palimpsest
