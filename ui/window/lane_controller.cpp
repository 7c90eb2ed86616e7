// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lane_controller.h"

#include <QAction>
#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "ui/experiment/lane_forms.h"
#include "ui/now/now_panel.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_label.h"
#include "ui/state/window_state.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

constexpr int kWords = 20, kAroundLanes = 16;  // height: of the words, which grow, and around them

constexpr int kLaneTurnMs = 100;
const QString kLaneTopic = QStringLiteral("lanes");

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
        // The same sign as above the curve: the selected one less the other.
        const std::size_t first = lanes_[1].selected ? 1 : 0;
        const double gap = shownDifference(*lanes_[first].area, *lanes_[1 - first].area);
        // One run each is no evidence, so the difference has no colour.
        gap_->setText((first == 0 ? tr("A − B: %1") : tr("B − A: %1")).arg(signedPercentText(gap)));
        gap_->setAccessibleName(first == 0 ? tr("Lane A less lane B") : tr("Lane B less lane A"));
        gap_->setToolTip(tr("One run each: no evidence that one of them is better"));
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

LaneController::LaneController(WindowState& state, OptionForm* form, NowPair* now, MessageBar* messages,
                               QAction* compare)
    : state_(state),
      draft_(state.lane_b),
      now_(now),
      messages_(messages),
      compare_(compare),
      forms_(new LaneForms(form, &draft_)),
      strip_(new LaneStrip),
      throttle_(
          kLaneTurnMs, [this] { refresh(); }, this) {
    RunController* controller = &state_.controller;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        RunBridge* bridge = controller->bridge(lane);
        connect(bridge, &RunBridge::started, this, [this, lane](const RunStarted& event) { onStarted(lane, event); });
        connect(bridge, &RunBridge::ended, this, [this, lane](const RunEnded& event) { onEnded(lane, event); });
    }
    connect(controller, &RunController::starting, this, [this] {
        lanes_ = {};
        messages_->withdraw(kLaneTopic);
        refresh();
    });
    connect(controller, &RunController::stateChanged, &throttle_, &Throttle::ask);
    connect(&state_.figures.runs, &RunSet::changed, &throttle_, &Throttle::ask);
    connect(&state_.figures.runs, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(&draft_, &LaneDraft::differencesChanged, &throttle_, &Throttle::ask);
    connect(&draft_, &LaneDraft::onChanged, this, &LaneController::refresh);
    // Why lane B could not start, or that a fork and two lanes exclude each other, may not hold any longer.
    connect(&draft_, &LaneDraft::differencesChanged, controller, &RunController::forgetRefusal);
    connect(&draft_, &LaneDraft::onChanged, this, [this] {
        messages_->withdraw(kLaneTopic);
        state_.controller.forgetRefusal();
    });
    connect(compare_, &QAction::triggered, &draft_, &LaneDraft::setOn);
    connect(strip_, &LaneStrip::endAsked, &draft_, [this] { draft_.setOn(false); });
    refresh();
}

void LaneController::onStarted(std::size_t lane, const RunStarted& event) {
    if (!state_.controller.paired()) return;
    if (lane == 1) forms_->setRunning(&event.experiment);
    if (lanes_[1 - lane].run.isEmpty()) {
        tag_ = QStringLiteral("lanes-") + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss"));
        clearFigures();
    }
    lanes_[lane] = {RunSet::idOf(event.folder, event.run), event.fingerprint, {}};
    tagRun(lanes_[lane].run, lane);
    // Whichever is ready first, lane A is the selected run, and lane B is seen beside it.
    if (const ShownRun* second = runOf(1); second && !second->display.visible)
        state_.figures.runs.setVisible(second->id, true);
    state_.figures.runs.showForNow(lanes_[0].run);
    requireOneStream();
    refresh();
}

void LaneController::onEnded(std::size_t lane, const RunEnded& event) {
    if (lane == 1) forms_->setRunning(nullptr);
    if (state_.controller.paired())
        lanes_[lane].state = event.how == RunEnd::Failed    ? tr("failed")
                             : event.how == RunEnd::Stopped ? tr("stopped")
                                                            : QString();
    refresh();
}

void LaneController::requireOneStream() {
    const std::string &first = lanes_[0].fingerprint, &second = lanes_[1].fingerprint;
    if (first.empty() || second.empty() || first == second) return;
    messages_->showLatest(
        MessageBar::Kind::Error, kLaneTopic,
        tr("The lanes got different streams (%1 and %2), so they cannot be compared.")
            .arg(QString::fromStdString(first), QString::fromStdString(second)),
        tr("Both are stopped. Check whether the files of the data set or of the stream changed meanwhile, and start "
           "again."));
    state_.controller.stop();
}

void LaneController::clearFigures() {
    QStringList others;
    for (const ShownRun* run : state_.figures.runs.visibleRuns())
        if (!run->display.chosen && !run->live) others.append(run->id);
    for (const QString& run : std::as_const(others)) state_.figures.runs.setVisible(run, false);
}

void LaneController::tagRun(const QString& run, std::size_t lane) {
    state_.figures.runs.setColour(run, QColor(QLatin1String(kLaneColours.at(lane))));
    if (!HistoryStore::hasFolder(run)) return;
    state_.library.editNotes({run}, [tag = tag_.toStdString(), lane](RunNotes& notes) {
        notes.tags.push_back(tag);
        notes.colour = kLaneColours.at(lane);
    });
}

const ShownRun* LaneController::runOf(std::size_t lane) const {
    return state_.figures.runs.find(lanes_[lane].run);
}

void LaneController::refresh() {
    const bool shown = draft_.on() || (state_.controller.paired() && state_.controller.busy());
    compare_->setChecked(draft_.on());
    strip_->setVisible(shown);
    if (!shown) return now_->setLanes({});
    const ShownRun *first = runOf(0), *second = runOf(1);
    const OptionTable& table = draft_.table();
    // Until both have begun, what will be compared.
    const bool begun = first && second;
    const Experiment& a = begun ? first->facts->experiment : draft_.first().experiment();
    const Experiment& b = begun ? second->facts->experiment : draft_.experiment();
    const QStringList labels = begun ? QStringList{first->label, second->label} : runLabels(table, {&a, &b});
    std::array<int, 2> looks{};
    for (std::size_t lane = 0; lane < looks.size(); ++lane)
        if (const ShownRun* run = runOf(lane)) looks[lane] = run->display.style;
    forms_->setRunStyle(looks[1]);
    std::array<LaneStrip::Lane, 2> lanes;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        lanes[lane] = {labels.value(static_cast<int>(lane)),
                       {},
                       lanes_[lane].state,
                       looks[lane],
                       runOf(lane) && runOf(lane)->display.selected};
    bool whole = false;
    if (begun) {
        const std::int64_t reach = std::min(first->reach(), second->reach());
        lanes[0].area = first->points.areaUpTo(reach);
        lanes[1].area = second->points.areaUpTo(reach);
        whole = first->areaIsFinal() && second->areaIsFinal();
    }
    const auto differences = experimentDifferences(table, a, b);
    QStringList difference{differencesText(differences)};
    if (differences.size() > 1) difference.append(tr("%1 differences").arg(differences.size()));
    strip_->setLanes(lanes, difference, !whole);
    // A run that goes on by itself is no lane.
    const bool alone = state_.controller.busy() && !state_.controller.paired();
    now_->setLanes(alone ? QStringList() : labels, looks);
}

}  // namespace palimpsest
