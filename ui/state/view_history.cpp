// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/view_history.h"

#include <QScopedValueRollback>
#include <QUndoCommand>
#include <QUndoStack>
#include <utility>

namespace palimpsest {

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
    int id() const override { return continues_ ? kId : -1; }
    bool mergeWith(const QUndoCommand* other) override {
        if (other->text() != text()) return false;
        after_ = static_cast<const ViewChange*>(other)->after_;
        setObsolete(after_ == before_);
        return true;
    }

private:
    static constexpr int kId = 2;  // the draft's changes are 1
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
