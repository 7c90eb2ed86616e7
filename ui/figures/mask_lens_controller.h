// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/laboratory.h"
#include "ui/figures/weights_controller.h"

namespace palimpsest {

class MaskLensDialog;

/// The window's mask lens: the selected run where it stands still, or at the moment that was chosen in the figures.
class MaskLensController : public WeightsController {
    Q_OBJECT
public:
    using Look = decltype(Laboratory::mask_lens);
    /// Without `look` nothing can be seen.
    MaskLensController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor, QWidget* window);

    /// Null until it was shown for the first time.
    MaskLensDialog* dialog() const { return dialog_; }

protected:
    WeightsDialog* makeDialog() override;
    QString hindrance(const ShownRun* run) const override;
    void look(const ShownRun& run, const Wanted& wanted, const std::stop_token& stop) override;
    void settled(const Wanted& wanted) override;

private:
    const Look look_;
    MaskLensDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
