// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/top_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QProgressBar>
#include <QPushButton>
#include <QStyle>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/action_book.h"
#include "ui/run_controller.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kHeight = 44;
constexpr int kBarSteps = 1000;
constexpr int kTurnMs = 100;
constexpr int kNameWidth = 150;

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip, QWidget* parent) {
    auto* button = new QPushButton(text, parent);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(tip);
    // No focus by click: Space keeps meaning pause and resume after one.
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

}  // namespace

QString durationText(double seconds) {
    const auto whole = static_cast<qint64>(std::ceil(std::max(seconds, 0.0)));
    if (whole < 60) return TopBar::tr("%1 s").arg(whole);
    if (whole < 600) return TopBar::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    if (whole < 3600) return TopBar::tr("%1 min").arg((whole + 30) / 60);
    return TopBar::tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
}

QString paceText(const Progress& progress) {
    QStringList parts;
    if (progress.images_per_second > 0) {
        const int decimals = progress.images_per_second < 10 ? 1 : 0;
        parts.append(TopBar::tr("%1 images/s").arg(progress.images_per_second, 0, 'f', decimals));
    }
    if (progress.seconds_left >= 0) parts.append(TopBar::tr("%1 left").arg(durationText(progress.seconds_left)));
    return parts.join(QStringLiteral(" · "));
}

TopBar::TopBar(RunController* controller, QMenuBar* menus, QWidget* parent)
    : QFrame(parent), controller_(controller), menus_(menus), pacer_(kTurnMs, [this] { refreshState(); }, this) {
    setObjectName("topBar");
    auto* product = makeLabel("Palimpsest", 15, QFont::Bold, false, this);
    start_ = makeButton("startButton", tr("Start"), tr("Start the experiment"), this);
    start_->setProperty("primary", true);
    // Wide enough for its longest word, so that nothing jumps when the word changes.
    fitToText(this, [this] {
        setFixedHeight(scaled(kHeight));
        start_->setFixedWidth(scaled(98));
    });
    step_ = makeButton("stepButton", tr("Step"), tr("Learn one more batch, while paused"), this);
    stop_ = makeButton("stopButton", tr("Stop"), tr("End the run and keep what was learned"), this);
    name_ = makeLabel({}, text_size::kText, QFont::DemiBold, false, this);
    name_->setObjectName("progressName");
    name_->setAccessibleName(tr("Experiment that is going on"));
    session_ = makeLabel({}, text_size::kText, QFont::Normal, true, this);
    session_->setObjectName("progressSession");
    images_ = makeLabel({}, text_size::kText, QFont::DemiBold, false, this);
    images_->setObjectName("progressImages");
    bar_ = new QProgressBar(this);
    bar_->setObjectName("progressBar");
    bar_->setAccessibleName(tr("Progress of the run"));
    bar_->setToolTip(tr("How much of the stream has been learned"));
    bar_->setTextVisible(false);
    bar_->setRange(0, kBarSteps);
    bar_->setFixedWidth(132);
    pace_ = makeLabel({}, text_size::kText, QFont::Normal, true, this);
    pace_->setObjectName("progressPace");
    // Gives way first when large text fills the bar.
    pace_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);

    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(16, 0, 8, 0);
    row->setSpacing(8);
    row->addWidget(product);
    row->addSpacing(12);
    row->addWidget(start_);
    row->addWidget(step_);
    row->addWidget(stop_);
    row->addSpacing(16);
    row->addWidget(name_);
    row->addWidget(session_);
    row->addWidget(images_);
    row->addSpacing(4);
    row->addWidget(bar_);
    row->addSpacing(4);
    row->addWidget(pace_, 1);
    find_ = makeButton("findButton", tr("Find …"), tr("Find or do anything"), this);
    row->addWidget(find_, 0, Qt::AlignVCenter);
    row->addWidget(menus, 0, Qt::AlignVCenter);

    if (auto* find = menus->findChild<QAction*>("findAnything"))
        connect(find_, &QPushButton::clicked, find, &QAction::trigger);
    else
        find_->hide();
    connect(start_, &QPushButton::clicked, controller_, &RunController::primary);
    connect(step_, &QPushButton::clicked, controller_, &RunController::step);
    connect(stop_, &QPushButton::clicked, controller_, &RunController::stop);
    connect(controller_, &RunController::stateChanged, this, &TopBar::refreshState);
    connect(controller_->bridge(), &RunBridge::started, this, &TopBar::onStarted);
    connect(controller_->bridge(), &RunBridge::progressed, this, &TopBar::onProgress);
    connect(controller_->bridge(), &RunBridge::ended, this, &TopBar::onEnded);
    connect(&TextScale::instance(), &TextScale::changed, this, &TopBar::refreshState);  // the name is cut to fit
    refreshKeys();
}

QString TopBar::tip(const QString& words, const QString& action) const {
    return ActionBook::tip(words, menus_->findChild<QAction*>(action));
}

void TopBar::refreshKeys() {
    step_->setToolTip(tip(tr("Learn one more batch, while paused"), "stepRun"));
    stop_->setToolTip(tip(tr("End the run and keep what was learned"), "stopRun"));
    find_->setToolTip(tip(tr("Find or do anything"), "findAnything"));
    refreshState();
}

void TopBar::addNote(QWidget* note) {
    auto* row = static_cast<QHBoxLayout*>(layout());
    row->insertWidget(row->indexOf(find_), note, 0, Qt::AlignVCenter);
}

void TopBar::refreshState() {
    QString text = tr("▶  Start"), name = tr("Start"), hint = tip(tr("Start the experiment"), "startRun");
    switch (controller_->state()) {
        case RunState::Idle: break;
        case RunState::Paused:
            text = tr("▶  Resume");
            name = tr("Resume");
            hint = tip(tr("Go on learning"), "pauseRun");
            break;
        default:
            text = tr("❚❚  Pause");
            name = tr("Pause");
            hint = tip(tr("Pause at the next batch"), "pauseRun");
    }
    start_->setText(text);
    start_->setAccessibleName(name);
    start_->setToolTip(hint);
    start_->setEnabled(controller_->state() != RunState::Stopping);
    step_->setEnabled(controller_->canStep());
    stop_->setEnabled(controller_->canStop());

    const Experiment* running = controller_->running();
    name_->setVisible(running != nullptr);
    if (running) {
        const QString title = QString::fromStdString(running->name);
        name_->setText(name_->fontMetrics().elidedText(title, Qt::ElideRight, scaled(kNameWidth)));
        name_->setToolTip(tr("“%1”, seed %2").arg(title).arg(running->seed));
    }
    const bool begun = controller_->busy() && sessions_ > 0;
    bar_->setVisible(begun);
    images_->setVisible(begun);
    const QString detail = controller_->detail();
    if (begun) {
        session_->setText(tr("Session %1 of %2").arg(progress_.session + 1).arg(sessions_));
        images_->setText(tr("%1 / %2 images").arg(countText(progress_.samples_seen), countText(progress_.total_samples)));
        bar_->setValue(progress_.total_samples > 0
                           ? static_cast<int>(progress_.samples_seen * kBarSteps / progress_.total_samples)
                           : 0);
        pace_->setText(controller_->state() == RunState::Paused ? tr("Paused. Right learns one batch.")
                       : detail.isEmpty()                       ? paceText(progress_)
                                                                : detail + " …");
    } else {
        pace_->clear();
        if (controller_->busy())
            session_->setText((detail.isEmpty() ? tr("Preparing") : detail) + " …");
        else
            session_->setText(outcome_.isEmpty() ? tr("Ready. F5 starts the experiment.") : outcome_);
    }
}

void TopBar::onStarted(const RunStarted& event) {
    sessions_ = event.experiment.stream.sessions;
    progress_ = {};
    progress_.total_samples = event.total_samples;
    progress_.seconds_left = -1;
    pacer_.forget();
    refreshState();
}

void TopBar::onProgress(const Progress& event) {
    progress_ = event;
    pacer_.ask();
}

void TopBar::onEnded(const RunEnded& event) {
    const bool begun = std::exchange(sessions_, 0) > 0;
    switch (event.how) {
        case RunEnd::Finished: outcome_ = tr("Finished in %1.").arg(durationText(event.summary.seconds)); break;
        case RunEnd::Stopped:
            outcome_ = !begun                 ? tr("Stopped before anything was learned.")
                       : event.folder.empty() ? tr("Stopped.")
                                              : tr("Stopped. What was learned is kept.");
            break;
        case RunEnd::Aborted: outcome_ = tr("Aborted."); break;
        case RunEnd::Failed: outcome_ = begun ? tr("The run failed.") : tr("The run could not start."); break;
    }
    if (event.summary.a_auc) outcome_ += tr("  A_AUC %1 %").arg(percentText(*event.summary.a_auc));
    refreshState();
}

}  // namespace palimpsest
