// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/figure_pair.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QToolButton>
#include <algorithm>

#include "ui/plots/plot_view.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr int kLeastFigure = 128;  // pixels of each figure with its axes; below that its curves are hardly told apart

}  // namespace

FigurePair::FigurePair(PlotView* upper, PlotView* lower, QWidget* parent)
    : QSplitter(Qt::Vertical, parent), figures_{upper, lower} {
    setHandleWidth(spacing::kGap);
    setChildrenCollapsible(false);
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        addWidget(figures_[i]);
        setStretchFactor(static_cast<int>(i), 1);
    }
    for (std::size_t i = 0; i < figures_.size(); ++i) {
        const PlotView* other = figures_[1 - i];
        const QString title = other->panel()->title();
        buttons_[i] = makeLink(QStringLiteral("turnTo.") + other->objectName(), title,
                               tr("Show %1 here: there is no room for both").arg(title.toLower()));
        withIcon(buttons_[i], "swap", &Theme::quiet);
        buttons_[i]->setFocusPolicy(Qt::TabFocus);
        buttons_[i]->hide();
        figures_[i]->panel()->addHeaderWidget(buttons_[i]);
        connect(buttons_[i], &QToolButton::clicked, this, &FigurePair::turn);
    }
    connect(&TextScale::instance(), &TextScale::changed, this, &FigurePair::fit, Qt::QueuedConnection);
}

int FigurePair::heightForBoth() const {
    int height = handleWidth();
    for (const PlotView* figure : figures_) height += figure->heightAround() + scaled(kLeastFigure);
    return height;
}

void FigurePair::fit() {
    const bool alone = kept_ || height() < heightForBoth();
    if (alone == alone_) return;
    if (alone) shares_ = sizes();
    alone_ = alone;
    showButtons();
    figures_[1 - front_]->setVisible(!alone);
    if (!alone) {
        const bool known = shares_.size() == 2 && std::min(shares_[0], shares_[1]) > 0;
        setSizes(known ? shares_ : QList<int>{height(), height()});
    }
    Q_EMIT turned();
}

/// Where one is kept alone, nothing leads to the other.
void FigurePair::showButtons() {
    for (QToolButton* button : buttons_) button->setVisible(alone_ && !kept_);
}

void FigurePair::keepAlone(PlotView* figure) {
    if (figure == kept_) return;
    if (!kept_) former_front_ = front_;
    kept_ = figure;
    const std::size_t wanted = !figure ? former_front_ : figure == figures_[0] ? 0 : 1;
    if (wanted != front_) turn();
    fit();
    showButtons();
}

void FigurePair::turn() {
    PlotView* before = front();
    const bool focused = before->isAncestorOf(QApplication::focusWidget());
    front_ = 1 - front_;
    front()->show();
    if (focused) front()->canvas()->setFocus(Qt::OtherFocusReason);
    before->setVisible(!alone_);
    Q_EMIT turned();
}

QSize FigurePair::minimumSizeHint() const {
    const QSize upper = figures_[0]->minimumSizeHint(), lower = figures_[1]->minimumSizeHint();
    return upper.expandedTo(lower);
}

void FigurePair::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    fit();
}

}  // namespace palimpsest
