// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/now_heading.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include "ui/state/run_controller.h"
#include "ui/style/text_style.h"
#include "ui/widgets/fitting_label.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/lane_marker.h"

namespace palimpsest {

NowName::NowName(QWidget* parent) : QWidget(parent), icon_(new QLabel), words_(new FittingLabel) {
    setObjectName(QStringLiteral("nowName"));
    words_->setObjectName(QStringLiteral("nowNameWords"));
    styleLabel(words_, text_size::kText, QFont::DemiBold, false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(icon_);
    row->addWidget(words_, 1);
    refresh();
}

void NowName::setLane(int lane, const QString& label, int look) {
    lane_ = lane;
    look_ = look;
    label_ = label;
    refresh();
}

void NowName::setRun(const QString& name) {
    if (name == run_) return;
    run_ = name;
    refresh();
}

QString NowName::heard() const {
    return text_.isEmpty() ? tr("Now") : lane_ >= 0 ? text_ : tr("Now. %1").arg(text_);
}

void NowName::refresh() {
    const bool lane = lane_ >= 0;
    text_ = lane             ? tr("%1 · %2").arg(RunController::laneName(static_cast<std::size_t>(lane_)), label_)
            : run_.isEmpty() ? QString()
                             : tr("Of “%1”").arg(run_);
    if (lane) {
        const QIcon icon = laneIcon(this, static_cast<std::size_t>(lane_), look_);
        icon_->setPixmap(icon.pixmap(kLaneIconWidth, kLaneIconHeight));
    }
    icon_->setVisible(lane);
    words_->setTexts({text_});
    // What it is called would otherwise be taken for the run that the figures show.
    setToolTip(lane || text_.isEmpty() ? QString() : tr("It began last; the figures show another run in full colour."));
    setVisible(!text_.isEmpty());
}

void NowName::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) refresh();
    QWidget::changeEvent(event);
}

}  // namespace palimpsest
