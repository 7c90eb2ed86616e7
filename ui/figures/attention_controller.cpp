// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/attention_controller.h"

#include <memory>

#include "engine/run/attention.h"
#include "ui/figures/attention_dialog.h"
#include "ui/state/run_set.h"

namespace palimpsest {

AttentionController::AttentionController(Look look, RunController* controller, RunSet* store, CurveCursor* cursor,
                                         QWidget* window)
    : WeightsController(static_cast<bool>(look), controller, store, cursor, window), look_(std::move(look)) {}

WeightsDialog* AttentionController::makeDialog() {
    dialog_ = new AttentionDialog(window());
    connect(dialog_, &AttentionDialog::imageChanged, this, &AttentionController::ask);
    return dialog_;
}

std::int64_t AttentionController::image() const {
    return dialog_->image();
}

void AttentionController::showImage(std::int64_t image) {
    if (!dialog_) showDialog();
    dialog_->setImage(image);
    showDialog();
}

void AttentionController::look(const ShownRun& run, const Wanted& wanted, const std::stop_token& stop) {
    begin(
        [look = look_, folder = wanted.run.toStdString(), image = wanted.image, at = wanted.at, stop] {
            return look(folder, image, at, stop);
        },
        [this, title = store()->label(run.id), at = wanted.at](const std::shared_ptr<const ImageAttention>& attention) {
            dialog_->showAttention(title, attention, at);
        });
}

}  // namespace palimpsest
