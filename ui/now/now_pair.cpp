// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/now_pair.h"

#include <QVBoxLayout>

#include "ui/now/now_panel.h"

namespace palimpsest {
namespace {

constexpr int kPairGap = 8;

}  // namespace

NowPair::NowPair(QWidget* parent) : QWidget(parent), panels_{new NowPanel, new NowPanel} {
    setObjectName("nowPair");
    setAccessibleName(tr("Now"));
    panels_[1]->setObjectName("nowPanelB");
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kPairGap);
    for (NowPanel* panel : panels_) column->addWidget(panel, 1);
    setLanes({});
}

bool NowPair::paired() const {
    return !panels_[1]->isHidden();
}

void NowPair::setLanes(const QStringList& labels, const std::array<int, 2>& looks) {
    const bool was = paired();
    for (std::size_t lane = 0; lane < panels_.size(); ++lane)
        panels_[lane]->setLane(labels.isEmpty() ? -1 : static_cast<int>(lane), labels.value(static_cast<int>(lane)),
                               looks[lane]);
    panels_[1]->setVisible(!labels.isEmpty());
    if (paired() != was) Q_EMIT pairedChanged();
}

}  // namespace palimpsest
