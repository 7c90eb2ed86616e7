// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/laboratory.h"
#include "ui/figures/weights_controller.h"

namespace palimpsest {

class AttentionDialog;

/// The window's view of attention: one test image, seen by the selected run at its newest checkpoint, or at the moment
/// that was chosen in the figures.
class AttentionController : public WeightsController {
    Q_OBJECT
public:
    using Look = decltype(Laboratory::attention);
    /// Without `look` nothing can be seen.
    AttentionController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor, QWidget* window);

    /// Null until it was shown for the first time.
    AttentionDialog* dialog() const { return dialog_; }

public Q_SLOTS:
    /// The dialog, with this image, a place in the test set.
    void showImage(std::int64_t image);

protected:
    WeightsDialog* makeDialog() override;
    std::int64_t image() const override;
    void look(const ShownRun& run, const Wanted& wanted, const std::stop_token& stop) override;

private:
    const Look look_;
    AttentionDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
