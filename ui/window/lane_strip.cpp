// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lane_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include "ui/state/run_controller.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kWords = 20, kAroundLanes = 16;  // height: of the words, which grow, and around them

}  // namespace

LaneStrip::LaneStrip(QWidget* parent) : QFrame(parent) {
    setObjectName("laneStrip");
    setAccessibleName(tr("Two lanes"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 6, 0);
    row->setSpacing(8);
    const char* const names[] = {"A", "B"};
    for (std::size_t lane = 0; lane < parts_.size(); ++lane) {
        Part& part = parts_[lane];
        part.icon = new QLabel;
        part.icon->setObjectName(QStringLiteral("laneIcon") + names[lane]);
        auto* name = makeLabel(RunController::laneName(lane), text_size::kText, QFont::DemiBold, false);
        part.label = new FittingLabel;
        styleLabel(part.label, text_size::kText, QFont::Normal, true);
        part.label->setObjectName(QStringLiteral("laneLabel") + names[lane]);
        part.area = makeLabel({}, text_size::kText, QFont::DemiBold, false);
        part.area->setObjectName(QStringLiteral("laneArea") + names[lane]);
        part.area->setAccessibleName(tr("A_AUC of %1").arg(RunController::laneName(lane)));
        part.area->setToolTip(tr("Area under the anytime accuracy, up to the images that both lanes have seen"));
        row->addWidget(part.icon);
        row->addWidget(name);
        row->addWidget(part.label, 2);
        row->addWidget(part.area);
        row->addSpacing(lane == 0 ? 20 : 0);
    }
    gap_ = makeLabel({}, text_size::kText, QFont::DemiBold, false);
    gap_->setObjectName("laneGap");
    gap_->setAccessibleName(tr("Lane B less lane A"));
    gap_->setToolTip(tr("A_AUC of lane B less that of lane A, in percentage points"));
    row->addWidget(gap_);
    row->addSpacing(20);
    difference_ = new FittingLabel;
    styleLabel(difference_, text_size::kText, QFont::Normal, false);
    difference_->setObjectName("laneStripDifference");
    difference_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(difference_, 4);
    QToolButton* end = makeLink("endLanesHere", tr("End"), tr("End the comparison; the runs stay"));
    end->setFocusPolicy(Qt::TabFocus);
    connect(end, &QToolButton::clicked, this, &LaneStrip::endAsked);
    row->addWidget(end);
    fitToText(this, [this] { setFixedHeight(scaled(kWords) + kAroundLanes); });
    refresh();
}

void LaneStrip::setLanes(const std::array<Lane, 2>& lanes, const QStringList& difference, bool soFar) {
    lanes_ = lanes;
    so_far_ = soFar;
    difference_->setTexts(difference);
    refresh();
}

void LaneStrip::refresh() {
    for (std::size_t lane = 0; lane < parts_.size(); ++lane) {
        const Part& part = parts_[lane];
        const QString& state = lanes_[lane].state;
        part.icon->setPixmap(laneIcon(this, lane, lanes_[lane].look).pixmap(kLaneIconWidth, kLaneIconHeight));
        part.label->setTexts({state.isEmpty() ? lanes_[lane].label : tr("%1, %2").arg(lanes_[lane].label, state)});
        const auto& area = lanes_[lane].area;
        part.area->setText(!area     ? tr("A_AUC –")
                           : so_far_ ? tr("A_AUC so far %1 %").arg(percentText(*area))
                                     : tr("A_AUC %1 %").arg(percentText(*area)));
    }
    gap_->clear();
    if (lanes_[0].area && lanes_[1].area) {
        const double gap = shownDifference(*lanes_[1].area, *lanes_[0].area);
        const Theme& theme = Theme::of(this);
        QPalette palette = gap_->palette();
        const QString words = signedPercentText(gap);
        palette.setColor(QPalette::WindowText, words == signedPercentText(0) ? theme.text
                                               : gap < 0                     ? theme.worse
                                                                             : theme.better);
        gap_->setPalette(palette);
        gap_->setText(tr("B − A: %1").arg(words));
    }
    gap_->setVisible(!gap_->text().isEmpty());
    setAccessibleDescription(text());
}

QString LaneStrip::text() const {
    QStringList words;
    for (const Part& part : parts_) words << part.label->accessibleName() << part.area->text();
    if (!gap_->text().isEmpty()) words << gap_->text();
    return (words << difference_->text()).join(QStringLiteral(" · "));
}

void LaneStrip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && gap_) refresh();
    QFrame::changeEvent(event);
}

}  // namespace palimpsest
