// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_status.h"

#include <QLabel>
#include <QProgressBar>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/pretrained/adaptation_job.h"
#include "ui/state/number_text.h"
#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kBarSteps = 1000;
constexpr int kTurnMs = 100;

}  // namespace

QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total) {
    QStringList parts;
    const double speed = progress.steps_per_second;
    if (speed > 0) {
        parts.append(AdaptationStatus::tr("%1 steps/s").arg(speed, 0, 'f', speed < 10 ? 1 : 0));
        if (total > progress.step && progress.step > first)
            parts.append(
                AdaptationStatus::tr("%1 left").arg(durationText(static_cast<double>(total - progress.step) / speed)));
    }
    return parts.join(QStringLiteral(" · "));
}

AdaptationStatus::AdaptationStatus(AdaptationJob* controller, QWidget* parent)
    : QWidget(parent),
      controller_(controller),
      status_(makeLabel({}, text_size::kText, QFont::DemiBold, false)),
      pace_(makeLabel({}, text_size::kText, QFont::Normal, true)),
      facts_(makeWords(text_size::kText, QFont::Normal, true)),
      bar_(new QProgressBar),
      pacer_(
          kTurnMs, [this] { refresh(); }, this) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    status_->setObjectName("adaptationStatus");
    // Gives way before the window grows.
    status_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pace_->setObjectName("adaptationPace");
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing::kRow);
    row->addWidget(status_, 1);
    row->addWidget(pace_);
    column->addLayout(row);
    bar_->setObjectName("adaptationBar");
    bar_->setAccessibleName(tr("Progress of the initial session"));
    bar_->setToolTip(tr("How many of its steps are done"));
    bar_->setTextVisible(false);
    bar_->setRange(0, kBarSteps);
    column->addWidget(bar_);
    facts_->setObjectName("adaptationFacts");
    column->addWidget(facts_);
    connect(controller_, &AdaptationJob::progressed, &pacer_, &Throttle::ask);
}

QString AdaptationStatus::outcome() const {
    using How = AdaptationEnded::How;
    const auto& end = controller_->end();
    if (!end) return tr("Ready.");
    switch (end->how) {
        case How::Finished:
            return tr("Finished in %1.").arg(durationText(end->seconds));
        case How::Stopped:
            return end->file.empty()      ? tr("Stopped before anything was learned.")
                   : end->state_step == 0 ? tr("Stopped. The prompts are kept as they are.")
                   : end->state_step < end->step
                       ? tr("Stopped. The prompts are kept as they are, and it can go on from step %1.")
                             .arg(countText(end->state_step))
                       : tr("Stopped. The prompts are kept as they are, and it can go on.");
        case How::Failed:
            break;
    }
    if (end->keep_at) return tr("The prompts are done, but not written yet.");
    return controller_->started() ? tr("The initial session failed.") : tr("The initial session could not start.");
}

void AdaptationStatus::refresh() {
    const auto& started = controller_->started();
    const auto& progress = controller_->progress();
    const QString detail = controller_->detail();
    bar_->setVisible(started.has_value());
    facts_->setVisible(started.has_value());
    const std::int64_t step = progress ? progress->step : started ? started->first_step : 0;
    if (started) {
        const std::int64_t total = std::max<std::int64_t>(1, started->total_steps);
        bar_->setValue(static_cast<int>(std::clamp<std::int64_t>(step * kBarSteps / total, 0, kBarSteps)));
        QStringList facts{QString::fromStdString(started->data)};
        if (started->trainable_parameters > 0)
            facts.append(tr("%1 parameters learn").arg(countText(started->trainable_parameters)));
        facts.append(QString::fromStdString(started->device));
        facts.append(QString::fromStdString(started->precision));
        facts.removeAll(QString());
        facts_->setText(facts.join(QStringLiteral(" · ")));
    }
    pace_->clear();
    if (!controller_->busy()) {
        status_->setText(outcome());
    } else if (!started) {
        status_->setText((detail.isEmpty() ? tr("Preparing") : detail) + " …");
    } else {
        QString where = tr("%1 of %2 steps").arg(countText(step), countText(started->total_steps));
        if (progress) where = tr("Epoch %1 · %2").arg(progress->epoch).arg(where);
        status_->setText(where);
        if (controller_->state() == AdaptationJob::State::Paused)
            pace_->setText(tr("Paused"));
        else if (!detail.isEmpty())
            pace_->setText(detail + " …");
        else if (progress)
            pace_->setText(paceText(*progress, started->first_step, started->total_steps));
    }
    status_->setToolTip(status_->text());
}

}  // namespace palimpsest
