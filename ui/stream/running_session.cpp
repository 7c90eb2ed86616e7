// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/running_session.h"

#include "ui/state/run_controller.h"
#include "ui/stream/stream_preview.h"

namespace palimpsest {

RunningSession::RunningSession(RunController* controller, StreamPreview* preview)
    : QObject(preview), preview_(preview) {
    connect(controller, &RunController::stateChanged, this, [this, controller] {
        if (controller->busy()) return;
        session_ = -1;
        show();
    });
    connect(controller->bridge(), &RunBridge::started, this, [this](const RunStarted& event) {
        fingerprint_ = QString::fromStdString(event.fingerprint);
        session_ = 0;
        show();
    });
    connect(controller->bridge(), &RunBridge::progressed, this, [this](const Progress& event) {
        session_ = static_cast<int>(event.session);
        show();
    });
}

void RunningSession::show() {
    const auto& stream = preview_->stream();
    preview_->setCurrentSession(stream && stream->fingerprint == fingerprint_ ? session_ : -1);
}

}  // namespace palimpsest
