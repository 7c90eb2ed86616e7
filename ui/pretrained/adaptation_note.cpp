// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_note.h"

#include <algorithm>

#include "ui/pretrained/adaptation_job.h"

namespace palimpsest {

AdaptationNote::AdaptationNote(AdaptationJob* controller, QWidget* parent)
    : QToolButton(parent), controller_(controller) {
    setObjectName("adaptationNote");
    setProperty("link", true);
    setAccessibleName(tr("Initial session that goes on"));
    setToolTip(tr("Show the initial session, in which prompts are learning"));
    setFocusPolicy(Qt::TabFocus);
    connect(controller_, &AdaptationJob::stateChanged, this, &AdaptationNote::refresh);
    connect(controller_, &AdaptationJob::progressed, this, &AdaptationNote::refresh);
    hide();
}

void AdaptationNote::refresh() {
    setVisible(controller_->busy());
    if (!controller_->busy()) return;
    const auto& started = controller_->started();
    const auto& progress = controller_->progress();
    if (controller_->state() == AdaptationJob::State::Paused)
        setText(tr("Initial session paused"));
    else if (started && progress && started->total_steps > 0)
        setText(
            tr("Initial session %1 %").arg(std::min<std::int64_t>(100, 100 * progress->step / started->total_steps)));
    else
        setText(tr("Initial session …"));
    setAccessibleDescription(text());
}

}  // namespace palimpsest
