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
    UndoStep(const QString& what, std::shared_ptr<std::function<void()>> take_back)
        : QUndoCommand(what), take_back_(std::move(take_back)) {}
    /// Expires with the step, which the stack may drop at any time.
    std::weak_ptr<bool> life() const { return life_; }
    void redo() override {}
    void undo() override {
        setObsolete(true);  // gone from the stack, which has nothing to do again
        if (const auto way = std::exchange(*take_back_, {})) way();
    }

private:
    std::shared_ptr<std::function<void()>> take_back_;  ///< empty once it was taken
    std::shared_ptr<bool> life_ = std::make_shared<bool>(true);
};

}  // namespace

std::function<void()> addUndoStep(QUndoStack* stack, const QString& what, const std::function<void()>& takeBack) {
    const auto way = std::make_shared<std::function<void()>>(takeBack);
    auto* step = new UndoStep(what, way);
    const std::weak_ptr<bool> life = step->life();
    stack->push(step);
    return [stack, step, life, way] {
        if (!*way) return;
        // The newest step goes as if by Undo; one with others above it stays, and does nothing any more.
        if (!life.expired() && stack->index() > 0 && stack->command(stack->index() - 1) == step)
            stack->undo();
        else
            std::exchange(*way, {})();
    };
}

}  // namespace palimpsest
