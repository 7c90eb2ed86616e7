// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/player_strip.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QToolButton>

#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kHeight = 36;

}  // namespace

PlayerStrip::PlayerStrip(QWidget* parent) : QFrame(parent), title_(new FittingLabel), speed_(new QComboBox) {
    setObjectName("playerStrip");
    setAccessibleName(tr("Replay"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* sign = new IconLabel;
    sign->setIcon(icon("curves"));
    styleLabel(title_, text_size::kText, QFont::DemiBold, false);
    title_->setObjectName("replayTitle");

    QLabel* speed = makeLabel(tr("Speed"), text_size::kText, QFont::Normal, true);
    speed_->setObjectName("replaySpeed");
    speed_->setAccessibleName(tr("Speed of the replay"));
    speed_->setToolTip(tr("How many times as fast as the run learned"));
    speed_->setProperty("quietLook", true);
    speed_->setFocusPolicy(Qt::TabFocus);
    guardWheel(speed_);
    // The plain delegate honours the style sheet's padding in the list.
    speed_->setItemDelegate(new QStyledItemDelegate(speed_));
    for (const int times : kSpeeds) speed_->addItem(tr("%1×").arg(times), times);
    speed->setBuddy(speed_);
    connect(speed_, &QComboBox::currentIndexChanged, this,
            [this] { Q_EMIT speedChosen(speed_->currentData().toInt()); });

    QToolButton* end = makeLink("endReplay", tr("End"), tr("End the replay; the whole run is shown again"));
    end->setFocusPolicy(Qt::TabFocus);
    connect(end, &QToolButton::clicked, this, &PlayerStrip::endAsked);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 6, 0);
    row->setSpacing(8);
    row->addWidget(sign);
    row->addWidget(title_, 1);
    row->addWidget(speed);
    row->addWidget(speed_);
    row->addSpacing(12);
    row->addWidget(end);
    fitToText(this, [this] { setFixedHeight(scaled(kHeight)); });
}

void PlayerStrip::setRun(const QString& name) {
    title_->setTexts({tr("Replay of “%1”").arg(name), tr("Replay")});
    setAccessibleDescription(tr("Replay of “%1”").arg(name));
}

void PlayerStrip::setSpeed(int speed) {
    speed_->setCurrentIndex(speed_->findData(speed));
}

}  // namespace palimpsest
