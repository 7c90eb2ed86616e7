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
    /// Called with a chosen value; changes of one gesture (not 0) belong together.
    std::function<void(const OptionValue& value, int gesture)> commit;
    /// Called with the reason why the typed text is refused; empty: it no longer is.
    std::function<void(const QString& why)> refuse;
};

/// The control that fits the option's type, a child of `owner`. The callbacks must stay valid as long.
OptionControl makeOptionControl(const Option& option, OptionEditor::Layout layout, const OptionWiring& wiring,
                                QWidget* owner);
/// A slider for a whole number. `newGesture`: called when it is pressed.
OptionControl makeOptionSlider(const Option& option, const OptionWiring& wiring, const std::function<int()>& newGesture,
                               QWidget* owner);

}  // namespace palimpsest
