// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QVariantMap>
#include <functional>

#include "ui/style/theme.h"

class QUndoStack;

namespace palimpsest {

/// How the window looks: all that can be undone without the experiment changing.
struct ViewState {
    QByteArray arrangement;  ///< of the panels
    Appearance appearance = Appearance::System;
    TextSize text_size = TextSize::Normal;
    QStringList tables;   ///< figures that show their table
    QVariantMap drawing;  ///< how curves are drawn
    bool operator==(const ViewState&) const = default;
};

/// Puts changes of the view among those of the experiment, so that Undo takes back what was done last, whatever it was.
class ViewHistory : public QObject {
    Q_OBJECT
public:
    /// `look` tells the present state, `show` brings another one back.
    ViewHistory(QUndoStack* stack, std::function<ViewState()> look, std::function<void(const ViewState&)> show,
                QObject* parent = nullptr);

    /// A person has changed the view. `what`: "hiding of Runs". `continues`: the same change goes on, as while a panel
    /// is dragged from place to place.
    void record(const QString& what, bool continues = false);
    /// What changed by itself is no step: as when the window gets another size.
    void settle();

private:
    friend class ViewChange;
    void show(const ViewState& state);

    QUndoStack* stack_;
    const std::function<ViewState()> look_;
    const std::function<void(const ViewState&)> show_;
    ViewState last_;
    QTimer settling_{this};
    bool showing_ = false;
};

}  // namespace palimpsest
