// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_actions.h"

#include <QHBoxLayout>
#include <QPushButton>

#include "ui/pretrained/adaptation_job.h"
#include "ui/state/key_names.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

constexpr int kPrimaryWidth = 104;

}  // namespace

AdaptationActions::AdaptationActions(AdaptationJob* controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      primary_(makeButton("adaptationStart", tr("Start"), tr("Let prompts learn"))),
      anew_(makeButton("adaptationAnew", tr("Start anew"),
                       tr("Begin again with random prompts, in a file of their own"))),
      stop_(makeButton("adaptationStop", tr("Stop"),
                       tr("End here and keep the prompts as they are; it can go on later"))),
      use_(makeButton("adaptationUse", tr("Use these prompts in the experiment"),
                      KeyNames::instance().filled(tr("Let the experiment begin with them; {undo} takes that back")))),
      keep_(makeButton("adaptationKeep", tr("Choose another place …"), tr("Write the prompts to another file"))) {
    primary_->setProperty("primary", true);
    // Wide enough for its longest word, so that nothing jumps when the word changes.
    fitToText(primary_, [this] { primary_->setFixedWidth(scaled(kPrimaryWidth)); });
    auto* close = makeButton("adaptationClose", tr("Close"), tr("Close; an initial session goes on"));
    withIcon(anew_, "new");
    withIcon(stop_, "stop");
    withIcon(use_, "check");
    withIcon(keep_, "save");
    connect(primary_, &QPushButton::clicked, this, &AdaptationActions::primaryAsked);
    connect(anew_, &QPushButton::clicked, this, &AdaptationActions::anewAsked);
    connect(stop_, &QPushButton::clicked, controller_, &AdaptationJob::stop);
    connect(use_, &QPushButton::clicked, this, &AdaptationActions::useAsked);
    connect(keep_, &QPushButton::clicked, this, &AdaptationActions::keepAsked);
    connect(close, &QPushButton::clicked, this, &AdaptationActions::closeAsked);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(spacing::kRow);
    for (QPushButton* button : {primary_, anew_, stop_, keep_, use_}) row->addWidget(button);
    row->addStretch(1);
    row->addWidget(close);
}

void AdaptationActions::focusPrimary() {
    primary_->setFocus();
}

void AdaptationActions::refresh(const Place& place) {
    const bool busy = controller_->busy();
    const bool resumes = place.waiting || controller_->state() == AdaptationJob::State::Paused;
    const bool pauses = busy && !resumes;
    primary_->setText(pauses ? tr("Pause") : resumes ? tr("Resume") : tr("Start"));
    withIcon(primary_, pauses ? "pause" : "play", &Theme::on_accent);
    primary_->setAccessibleName(primary_->text());
    primary_->setToolTip(pauses    ? tr("Pause at the next step")
                         : busy    ? tr("Go on learning")
                         : resumes ? tr("Go on from where it was stopped")
                                   : tr("Let prompts learn"));
    const bool keeping = controller_->unwritten() && !controller_->canKeepElsewhere();
    primary_->setEnabled(busy ? controller_->canStop() : controller_->available() && !keeping);
    anew_->setEnabled(!keeping);
    keep_->setVisible(controller_->unwritten());
    keep_->setEnabled(!keeping);
    anew_->setVisible(place.waiting);
    stop_->setVisible(busy);
    stop_->setEnabled(controller_->canStop());
    // What is there is not what was learned last, while that is not written.
    use_->setVisible(place.there && !controller_->unwritten());
    use_->setEnabled(!place.in_use);
    use_->setText(place.in_use ? tr("The experiment uses these prompts") : tr("Use these prompts in the experiment"));
    use_->setAccessibleName(use_->text());
}

}  // namespace palimpsest
