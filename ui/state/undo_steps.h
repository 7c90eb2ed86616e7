// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <QVariantMap>
#include <functional>

#include "ui/style/theme.h"

class QUndoStack;

namespace palimpsest {

/// Pushes an action that was already done onto the undo stack, so that the user's last action is undone first, be it a
/// setting, a view or a deletion. Redo does not repeat it. Returns a function that undoes it from elsewhere, such as a
/// button; it is undone once, whichever way is used. The stack must outlive the function.
std::function<void()> addUndoStep(QUndoStack* stack, const QString& what, const std::function<void()>& undo);

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
