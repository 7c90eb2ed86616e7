// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/config/option_table.h"
#include "ui/experiment/option_editor.h"

namespace palimpsest {

/// A control that changes an option, and shows a value without a signal.
struct OptionControl {
    QWidget* widget = nullptr;
    std::function<void(const OptionValue&)> show;
};

/// Callbacks of a control for what the user does.
struct OptionWiring {
    /// A value was chosen; changes of one gesture (not 0) belong together.
    std::function<void(const OptionValue& value, int gesture)> commit;
    /// Why what was typed is refused; empty: it no longer is.
    std::function<void(const QString& why)> refuse;
};

/// The control that fits the option's type, a child of `owner`. What is wired must live as long.
OptionControl makeOptionControl(const Option& option, OptionEditor::Layout layout, const OptionWiring& wiring,
                                QWidget* owner);
/// A slider for a whole number. `newGesture`: called when it is grasped.
OptionControl makeOptionSlider(const Option& option, const OptionWiring& wiring, const std::function<int()>& newGesture,
                               QWidget* owner);

}  // namespace palimpsest
