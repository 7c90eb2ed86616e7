// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/stage_controller.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QTimer>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QWindow>
#include <algorithm>
#include <array>
#include <utility>

#include "ui/experiment/live_change_controller.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/plots/plot_view.h"
#include "ui/stage/speaker_notes.h"
#include "ui/stage/spotlight.h"
#include "ui/stage/stage_bar.h"
#include "ui/stage/stage_strip.h"
#include "ui/state/history_store.h"
#include "ui/state/talk_book.h"
#include "ui/state/talk_runs.h"
#include "ui/state/window_state.h"
#include "ui/timeline/player_controller.h"
#include "ui/timeline/time_line.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/view_controller.h"
#include "ui/window/window_docks.h"

namespace palimpsest {
namespace {

constexpr int kCaptionTurnMs = 250;
constexpr int kMostDigits = 3;
constexpr int kLeavingMs = 500;  // within which a desktop gives the window its size back
constexpr int kHintMs = 8000;
const QString kNowDock = QStringLiteral("nowDock");
const QString kStageTopic = QStringLiteral("stage");

/// A page of the window, and of its two plots the one that stands alone there.
struct StageFigure {
    const char* name;
    CurvesView::Page page;
    enum { Both, Upper, Lower } alone = Both;
};
constexpr std::array<StageFigure, kTalkFigures.size()> kStageFigures{{
    {"Accuracy", CurvesView::kAccuracy},
    {"Anytime accuracy", CurvesView::kAccuracy, StageFigure::Upper},
    {"Retention", CurvesView::kAccuracy, StageFigure::Lower},
    {"Classes", CurvesView::kClasses},
    {"Sessions", CurvesView::kSessions},
    {"Confusion", CurvesView::kConfusion},
    {"Loss", CurvesView::kLoss},
    {"Prompts", CurvesView::kPrompts},
    {"Memory", CurvesView::kMemory},
    {"Pushes", CurvesView::kPushes},
    {"Features", CurvesView::kFeatures},
}};

/// What captions say of a run that is on its way.
TalkNumbers numbersSoFar(const ShownRun& run) {
    TalkNumbers numbers;
    numbers.name = run.facts->experiment.name;
    numbers.images = run.points.learned();
    numbers.planned = run.facts->total_samples;
    numbers.evaluations = talkEvaluations(run.points.anytime(), run.points.sessionEnds());
    for (const auto& [session, points] : run.points.retention())
        numbers.retention.insert(numbers.retention.end(), points.begin(), points.end());
    for (const RetentionPoint& point : numbers.retention)
        numbers.sessions = std::max(numbers.sessions, point.after_session + 1);
    numbers.session_starts = run.facts->session_starts;
    return numbers;
}

}  // namespace

StageController::StageController(WindowState& state, TalkBook* book, TalkRuns* runs, const Parts& parts)
    : state_(state),
      book_(book),
      runs_(runs),
      parts_(parts),
      bar_(new StageBar),
      spotlight_(new Spotlight(parts.centre)),
      curtain_(new StageCurtain(parts.centre)),
      hint_(new StageStrip("stageHint", tr("Keys on the stage"), parts.centre)),
      note_(new StageStrip("stageNote", tr("Note for the speaker"), parts.centre)),
      throttle_(
          kCaptionTurnMs, [this] { refreshBar(); }, this) {
    parts_.centre->layout()->addWidget(bar_);
    bar_->hide();
    leaving_.setSingleShot(true);
    leaving_.setInterval(kLeavingMs);
    parts_.window->installEventFilter(this);
    connect(parts_.curves, &CurvesView::pageShown, this, &StageController::liftStrips);
    for (const PlotView* plot : parts_.curves->findChildren<PlotView*>())
        connect(plot, &PlotView::laidOut, this, &StageController::liftStrips);
    RunController* controller = &state_.controller;
    connect(controller, &RunController::stateChanged, this, [this] {
        if (!on_) return;
        if (state_.controller.canStart()) playing_ = false;
        if (!waiting_ || !state_.controller.canStart()) return;
        // Once all who hear of this have heard of it.
        QTimer::singleShot(0, this, [this] {
            if (on_ && waiting_ && state_.controller.canStart()) putOn();
        });
    });
    connect(controller->bridge(0), &RunBridge::started, this, &StageController::onStarted);
    connect(controller, &RunController::failed, this, [this] { starting_.clear(); });
    connect(runs_, &TalkRuns::found, this, [this] {
        numbers_.clear();
        if (on_ && !book_->empty() && scene_ >= 0) show(scene_);
    });
    connect(&state_.figures.runs, &RunSet::changed, this, [this] {
        if (on_ && !made_.empty()) throttle_.ask();
    });
    connect(&state_.library, &RunLibrary::loaded, this, [this] {
        if (on_ && !made_.empty()) throttle_.ask();
    });
}

StageController::~StageController() {
    leave();
}

void StageController::keep() {
    const RunSet& shown = state_.figures.runs;
    kept_ = {};
    kept_.window = parts_.window->windowState() & ~Qt::WindowActive;
    kept_.arrangement = parts_.docks->save();
    kept_.appearance = parts_.view->appearance();
    kept_.page = parts_.curves->page();
    kept_.picture = parts_.pictures->currentWidget();
    kept_.moment = state_.figures.cursor.pinned();
    kept_.speed = parts_.player->speed();
    kept_.focus = QApplication::focusWidget();
    const std::vector<const ShownRun*> others = shown.others();
    for (auto run = others.rbegin(); run != others.rend(); ++run)
        kept_.runs.emplace_back((*run)->id, (*run)->display.chosen);
    if (const ShownRun* run = shown.selected()) kept_.runs.emplace_back(run->id, run->display.chosen);
}

void StageController::enter(int scene) {
    if (on_) return;
    keep();
    on_ = true;
    waiting_ = playing_ = false;
    digits_.clear();
    notice_.clear();
    armed_.clear();
    made_.clear();
    numbers_.clear();
    scene_ = -1;
    Q_EMIT changed(true);
    qApp->installEventFilter(this);
    clearStage();
    QStringList captions;
    for (int i = 0; i < book_->scenes(); ++i) captions.append(captionOf(i));
    bar_->setCaptions(captions);
    bar_->setStage(parts_.window->height());
    bar_->setVisible(!book_->empty());
    parts_.centre->setFocus(Qt::OtherFocusReason);
    hint_->say(book_->empty() ? tr("Page Down: next moment   ·   F: next figure   ·   ?: all keys   ·   Escape: leave")
                              : tr("Page Down: next scene   ·   N: note   ·   ?: all keys   ·   Escape: leave"),
               kHintMs);
    if (!book_->empty() && SpeakerNotes::otherScreen(*parts_.window)) {
        notes_ = new SpeakerNotes(parts_.window);
        notes_->setAttribute(Qt::WA_DeleteOnClose);
        notes_->showOn(*SpeakerNotes::otherScreen(*parts_.window));
    }
    if (book_->empty()) {
        startAtFirst();
        return refreshBar();
    }
    // Once the runs are found it is shown again, with them.
    scene_ = std::clamp(scene, 0, book_->scenes() - 1);
    if (!runs_->ready()) return refreshBar();
    show(scene_);
}

/// The story of a run that has ended begins at its first evaluation. A chosen moment stays, and what learns is
/// followed.
void StageController::startAtFirst() {
    const ShownRun* run = state_.figures.runs.selected();
    if (!run || run->inProgress() || state_.figures.cursor.pinned()) return;
    const auto points = talkEvaluations(run->points.anytime(), run->points.sessionEnds());
    if (!points.empty()) state_.figures.cursor.pin(points.front().samples_seen);
}

void StageController::clearStage() {
    parts_.view->setAppearance(Appearance::Projector);
    hidePieces();
    parts_.curves->setBare(true);
    showValues(false);
    hideSmallNews();
    parts_.window->setWindowState(parts_.window->windowState() | Qt::WindowFullScreen);
}

void StageController::hidePieces() {
    for (QWidget* piece : parts_.centre->findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
        if (piece->objectName() == "topBar" || qobject_cast<MessageArea*>(piece)) piece->hide();
    for (auto* dock : parts_.docks->findChildren<QDockWidget*>(Qt::FindDirectChildrenOnly)) dock->hide();
}

/// Errors are shown on the stage as well.
void StageController::hideSmallNews() {
    if (parts_.messages->property("kind") != QLatin1String("error")) parts_.messages->hide();
}

void StageController::leave() {
    if (!on_) return;
    on_ = false;
    qApp->removeEventFilter(this);
    armed_.clear();
    if (playing_ && state_.controller.replaying()) state_.controller.stop();
    playing_ = waiting_ = false;
    bringBack();
    Q_EMIT changed(false);
    if (!book_->empty())
        parts_.messages->showPassing(
            kStageTopic, tr("The stage is left: runs, figure and moment are those of before."),
            tr("The talk stays open: Stage leads back to it, and View > Close talk closes it."));
}

void StageController::bringBack() {
    spotlight_->setOn(false);
    spotlight_->moveTo(std::nullopt);
    curtain_->hide();
    hint_->dismiss();
    note_->dismiss();
    if (notes_) notes_->close();
    bar_->hide();
    parts_.curves->keepAlone(nullptr);
    parts_.curves->setBare(false);
    showValues(true);
    for (QWidget* piece : parts_.centre->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        if (piece->objectName() == "topBar") piece->show();
        const auto* area = qobject_cast<MessageArea*>(piece);
        const QWidget* line = area ? area->findChild<QWidget*>(QString(), Qt::FindDirectChildrenOnly) : nullptr;
        if (line) piece->setVisible(!line->isHidden());
    }
    if (parts_.messages->count() > 0) parts_.messages->show();
    showRuns(kept_.runs);
    state_.figures.cursor.pin(kept_.moment);
    parts_.curves->showPage(static_cast<CurvesView::Page>(kept_.page));
    parts_.pictures->setCurrentWidget(kept_.picture);
    parts_.player->setSpeed(kept_.speed);
    parts_.window->setWindowState(kept_.window);
    parts_.view->setAppearance(kept_.appearance);
    parts_.docks->restore(kept_.arrangement);
    leaving_.start();
    arrangeAgain();
    parts_.view->history()->settle();
    if (kept_.focus) kept_.focus->setFocus(Qt::OtherFocusReason);
}

void StageController::arrangeAgain() {
    QTimer::singleShot(0, this, [this] {
        if (on_) return;
        parts_.docks->restore(kept_.arrangement);
        parts_.view->history()->settle();
    });
}

/// Only these, the last one selected.
void StageController::showRuns(const std::vector<std::pair<QString, bool>>& runs) {
    RunSet& shown = state_.figures.runs;
    std::vector<std::pair<QString, bool>> now;
    const std::vector<const ShownRun*> others = shown.others();
    for (auto run = others.rbegin(); run != others.rend(); ++run) now.emplace_back((*run)->id, (*run)->display.chosen);
    if (const ShownRun* run = shown.selected()) now.emplace_back(run->id, run->display.chosen);
    if (now == runs) return;
    for (const auto& [id, chosen] : now) shown.setVisible(id, false);
    for (const auto& [id, chosen] : runs) {
        shown.showForNow(id);
        if (chosen) shown.select(id);
    }
}

QString StageController::idOf(const std::string& run) const {
    const auto made = made_.find(run);
    if (made != made_.end()) return made->second;
    const auto record = runs_->find(run);
    return record ? RunSet::idOf(record->folder.string(), 0) : QString();
}

std::optional<std::int64_t> StageController::imagesAt(const TalkMoment& moment, const QString& run) const {
    const ShownRun* shown = state_.figures.runs.find(run);
    if (!shown || moment.kind == TalkMoment::Kind::End) return std::nullopt;
    const std::int64_t total = shown->facts->total_samples;
    if (moment.kind == TalkMoment::Kind::Images) return std::min(moment.number, total);
    const std::vector<std::int64_t>& starts = shown->facts->session_starts;
    const auto session = static_cast<std::size_t>(moment.number);
    return session < starts.size() ? starts[session] : total;
}

void StageController::show(int scene) {
    scene_ = std::clamp(scene, 0, book_->scenes() - 1);
    armed_.clear();
    notice_.clear();
    curtain_->hide();
    // A replay ends first; what learns goes on.
    if (state_.controller.replaying()) {
        waiting_ = true;
        state_.controller.stop();
        return refreshBar();
    }
    putOn();
}

void StageController::putOn() {
    waiting_ = false;
    if (book_->empty()) return;
    scene_ = std::clamp(scene_, 0, book_->scenes() - 1);
    const TalkScene scene = book_->talk().scene(static_cast<std::size_t>(scene_));
    RunSet& shown = state_.figures.runs;
    std::vector<std::pair<QString, bool>> runs;
    QStringList away;
    for (const std::string& name : scene.runs) {
        const QString id = idOf(name);
        const auto record = runs_->find(name);
        if (record && !made_.contains(name)) shown.addRecord(*record);
        if (!id.isEmpty() && shown.find(id))
            runs.emplace(runs.begin(), id, false);
        else if (name != scene.start)
            away.append(QString::fromStdString(name));
    }
    if (away.size() == 1)
        notice_ = tr("The run “%1” is missing; “Prepare this talk” makes it.").arg(away.front());
    else if (!away.isEmpty())
        notice_ = tr("The runs %1 are missing; “Prepare this talk” makes them.").arg(away.join(tr(", ")));
    showRuns(runs);
    const auto figure = std::ranges::find(kStageFigures, scene.figure, &StageFigure::name);
    if (figure != kStageFigures.end()) {
        parts_.curves->showPage(figure->page);
        parts_.curves->keepAlone(figure->alone == StageFigure::Upper ? static_cast<PlotView*>(parts_.curves->accuracy())
                                 : figure->alone == StageFigure::Lower
                                     ? static_cast<PlotView*>(parts_.curves->retention())
                                     : nullptr);
    }
    parts_.pictures->setCurrentWidget(parts_.curves);
    if (auto* now = parts_.docks->findChild<QDockWidget*>(kNowDock)) now->setVisible(scene.now);
    const QString first = runs.empty() ? QString() : runs.back().first;
    state_.figures.cursor.pin(scene.play > 0 ? std::nullopt : imagesAt(scene.at, first));
    if (scene.play > 0 && !first.isEmpty()) play(scene, first);
    if (!scene.start.empty() && !made_.contains(scene.start)) {
        const QString problem = runs_->missing(scene.start);
        armed_ = runs_->experiment(scene.start) ? scene.start : std::string();
        notice_ = !armed_.empty() ? tr("The next key starts this run.") : problem;
    }
    spotlight_->setOn(scene.spotlight);
    refreshBar();
}

void StageController::play(const TalkScene& scene, const QString& run) {
    if (!state_.controller.canStart()) {
        notice_ = tr("A run is learning, so nothing is played back; all of it is shown.");
        return;
    }
    const auto speed = std::ranges::find_if(PlayerStrip::kSpeeds, [&](int each) { return each >= scene.play; });
    parts_.player->setSpeed(speed == PlayerStrip::kSpeeds.end() ? PlayerStrip::kSpeeds.back() : *speed);
    parts_.player->replayFrom(run, imagesAt(scene.at, run).value_or(0));
    playing_ = state_.controller.replaying();
}

/// The armed run learns; the speaker's next key goes on.
void StageController::begin() {
    const std::string name = std::exchange(armed_, {});
    notice_.clear();
    if (!state_.controller.canStart()) {
        notice_ = tr("Another run is learning, so this one does not start.");
        return refreshBar();
    }
    starting_ = name;
    state_.controller.start(FreshLaunch{runs_->experiment(name)});
    parts_.live->ignoreDraft();
    if (!state_.controller.busy()) {
        starting_.clear();
        notice_ = tr("The run could not start.");
    }
    refreshBar();
}

void StageController::onStarted(const RunStarted& event) {
    if (starting_.empty()) return;
    made_[std::exchange(starting_, {})] = RunSet::idOf(event.folder, event.run);
    throttle_.ask();
}

QString StageController::captionOf(int scene) const {
    const TalkScene shown = book_->talk().scene(static_cast<std::size_t>(scene));
    const auto numbers = [this](const std::string& name) -> const TalkNumbers* {
        const auto made = made_.find(name);
        if (made != made_.end()) {
            const ShownRun* run = state_.figures.runs.find(made->second);
            if (!run) return nullptr;
            TalkNumbers& now = numbers_[name];
            const RunLibrary::Record record = run->inProgress() ? nullptr : state_.library.find(made->second);
            now = record ? talkNumbers(*record) : numbersSoFar(*run);
            return &now;
        }
        const auto known = numbers_.find(name);
        if (known != numbers_.end()) return &known->second;
        const auto record = runs_->find(name);
        return record ? &(numbers_[name] = talkNumbers(*record)) : nullptr;
    };
    const std::string first = shown.runs.empty() ? shown.start : shown.runs.front();
    return QString::fromStdString(filledCaption(shown.caption, first, numbers));
}

void StageController::refreshBar() {
    if (!on_) return;
    bar_->setStage(parts_.window->height());
    liftStrips();
    if (book_->empty() || scene_ < 0) {
        if (!digits_.isEmpty()) hint_->say(tr("End of session %1: Return").arg(digits_), 0);
        return;
    }
    bar_->setCaption(captionOf(scene_));
    bar_->setPlace(digits_.isEmpty() ? tr("%1 / %2").arg(scene_ + 1).arg(book_->scenes()) : tr("→ %1").arg(digits_));
    bar_->setNotice(notice_);
    liftStrips();
    refreshNotes();
}

/// Over the figures, and neither over the numbers of their axes nor over the time line or the caption.
void StageController::liftStrips() {
    if (!on_) return;
    const CurvesView* curves = parts_.curves;
    const int foot = curves->axesFoot() + curves->timeLine()->height() + (bar_->isHidden() ? 0 : bar_->height());
    for (StageStrip* strip : {hint_, note_}) strip->setFoot(foot);
}

void StageController::refreshNotes() {
    if (!notes_ || scene_ < 0) return;
    const std::string& note = book_->talk().scenes[static_cast<std::size_t>(scene_)].note;
    notes_->setScene(tr("%1 / %2").arg(scene_ + 1).arg(book_->scenes()), captionOf(scene_),
                     QString::fromStdString(note), scene_ + 1 < book_->scenes() ? captionOf(scene_ + 1) : QString());
}

void StageController::showNote() {
    if (book_->empty() || scene_ < 0) return tell(tr("Notes are those of a talk; none is open."));
    if (notes_) return notes_->raise();
    if (!note_->text().isEmpty()) return note_->dismiss();
    const QString note = QString::fromStdString(book_->talk().scenes[static_cast<std::size_t>(scene_)].note);
    const QString shown = note.isEmpty() ? tr("This scene has no note.") : note;
    hint_->dismiss();
    note_->say(shown, StageStrip::readingTime(shown));
}

void StageController::showValues(bool shown) {
    values_ = shown;
    parts_.curves->showValues(shown);
}

void StageController::turnPage(int by) {
    constexpr int count = CurvesView::kPages;
    parts_.curves->keepAlone(nullptr);
    parts_.curves->showPage(static_cast<CurvesView::Page>((parts_.curves->page() + count + by) % count));
    parts_.pictures->setCurrentWidget(parts_.curves);
    parts_.centre->setFocus(Qt::OtherFocusReason);
}

QString StageController::keysText() const {
    const QString steps = book_->empty() ? tr("Page Down, Page Up: next moment, the one before   ·   a number, Return: "
                                              "end of that session")
                                         : tr("Page Down, Page Up: next scene, the one before   ·   a number, Return: "
                                              "that scene   ·   N: note");
    return QStringList{steps, tr("F, Shift+F: next figure, the one before   ·   V: values at the moment"),
                       tr("B: black   ·   S: spotlight   ·   Escape: leave")}
        .join('\n');
}

void StageController::step(int by) {
    if (book_->empty()) return stepMoment(by);
    if (by > 0 && !armed_.empty()) return begin();
    const int next = scene_ + by;
    if (next < 0) return tell(tr("This is the first scene."));
    if (next >= book_->scenes()) return tell(tr("This is the last scene. Escape leaves the stage."));
    show(next);
}

/// Without a talk: from one evaluation of the selected run to the next.
void StageController::stepMoment(int by) {
    const ShownRun* run = state_.figures.runs.selected();
    if (!run) return tell(tr("There is no run whose moments could be shown."));
    const std::vector<AnytimePoint> points = talkEvaluations(run->points.anytime(), run->points.sessionEnds());
    CurveCursor& cursor = state_.figures.cursor;
    const std::int64_t now = cursor.pinned().value_or(points.empty() ? 0 : points.back().samples_seen);
    const AnytimePoint* found = nullptr;
    for (const AnytimePoint& point : points) {
        if (by < 0 && point.samples_seen < now) found = &point;
        if (by > 0 && point.samples_seen > now && !found) found = &point;
    }
    if (found) return cursor.pin(found->samples_seen);
    if (points.empty()) return tell(tr("Nothing was measured yet, so there is no moment to go to."));
    if (by < 0) return tell(tr("This is the first moment. Page Down goes on."));
    tell(run->inProgress() ? tr("This is the newest moment so far. Page Up goes back.")
                           : tr("This is the last moment. Page Up goes back."));
}

void StageController::tell(const QString& sentence) {
    hint_->say(sentence, StageStrip::readingTime(sentence));
}

void StageController::switchValues() {
    if (!parts_.curves->hasValues()) return tell(tr("This figure has no box of values. F turns to the next figure."));
    showValues(!values_);
    if (values_ && !state_.figures.cursor.pinned())
        tell(tr("The values are those of a moment, and none is chosen. Page Up chooses one."));
}

void StageController::typed(int digit) {
    if (digits_.size() < kMostDigits) digits_ += QString::number(digit);
    refreshBar();
}

void StageController::goTyped() {
    const int number = std::exchange(digits_, {}).toInt();
    if (!book_->empty()) {
        if (number >= 1 && number <= book_->scenes())
            show(number - 1);
        else
            refreshBar();
        return;
    }
    const ShownRun* run = state_.figures.runs.selected();
    if (run && number >= 1) state_.figures.cursor.pin(imagesAt({TalkMoment::Kind::Session, number}, run->id));
}

bool StageController::press(const QKeyEvent& key) {
    for (const QKeySequence& keys : parts_.stage->shortcuts())
        if (keys.matches(QKeySequence(key.keyCombination())) == QKeySequence::ExactMatch) return leave(), true;
    const int which = key.key();
    if (which >= Qt::Key_0 && which <= Qt::Key_9) return typed(which - Qt::Key_0), true;
    const bool number = !digits_.isEmpty();
    if (number && (which == Qt::Key_Return || which == Qt::Key_Enter)) return hint_->dismiss(), goTyped(), true;
    digits_.clear();
    // A key that is held for another one leaves the words where they are.
    if (which == Qt::Key_Shift || which == Qt::Key_Control || which == Qt::Key_Alt || which == Qt::Key_Meta)
        return true;
    const bool keys = which == Qt::Key_Question || which == Qt::Key_H || which == Qt::Key_F1;
    const bool listed = hint_->text() == keysText();
    hint_->dismiss();
    if (keys) {
        if (!listed) hint_->say(keysText(), 0);
        return true;
    }
    if (which != Qt::Key_N) note_->dismiss();
    const bool turns =
        key.modifiers().testFlag(Qt::ControlModifier) && (which == Qt::Key_PageDown || which == Qt::Key_PageUp);
    if (which == Qt::Key_F || turns) {
        const bool back = turns ? which == Qt::Key_PageUp : key.modifiers().testFlag(Qt::ShiftModifier);
        curtain_->hide();
        turnPage(back ? -1 : 1);
        return true;
    }
    switch (which) {
        case Qt::Key_Escape:
            leave();
            break;
        case Qt::Key_PageDown:
        case Qt::Key_Right:
        case Qt::Key_Down:
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_PageUp:
        case Qt::Key_Left:
        case Qt::Key_Up:
        case Qt::Key_Backspace: {
            const bool back =
                which == Qt::Key_PageUp || which == Qt::Key_Left || which == Qt::Key_Up || which == Qt::Key_Backspace;
            // A key that deletes what was typed goes nowhere, and a key that is held goes one scene.
            if (key.isAutoRepeat() || (number && which == Qt::Key_Backspace)) break;
            curtain_->hide();
            step(back ? -1 : 1);
            break;
        }
        case Qt::Key_Home:
        case Qt::Key_End: {
            const bool first = which == Qt::Key_Home;
            if (!book_->empty()) {
                show(first ? 0 : book_->scenes() - 1);
            } else if (const ShownRun* run = state_.figures.runs.selected()) {
                const auto points = talkEvaluations(run->points.anytime(), run->points.sessionEnds());
                state_.figures.cursor.pin(first && !points.empty() ? std::optional(points.front().samples_seen)
                                                                   : std::nullopt);
            }
            break;
        }
        case Qt::Key_B:
        case Qt::Key_Period:
            curtain_->setGeometry(parts_.centre->rect());
            curtain_->setVisible(curtain_->isHidden());
            curtain_->raise();
            break;
        case Qt::Key_N:
            showNote();
            break;
        case Qt::Key_V:
            switchValues();
            break;
        case Qt::Key_S:
        case Qt::Key_L:
            spotlight_->setOn(!spotlight_->isOn());
            break;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            spotlight_->grow(1);
            break;
        case Qt::Key_Minus:
            spotlight_->grow(-1);
            break;
        default:
            break;
    }
    if (on_) refreshBar();
    return true;
}

void StageController::point(std::optional<QPoint> place) {
    spotlight_->moveTo(place && parts_.centre->rect().contains(*place) ? place : std::nullopt);
}

bool StageController::eventFilter(QObject* watched, QEvent* event) {
    if (!on_) {
        if (watched == parts_.window && event->type() == QEvent::Resize && leaving_.isActive()) arrangeAgain();
        return false;
    }
    const QEvent::Type type = event->type();
    if (watched == parts_.window->windowHandle()) {
        if (type == QEvent::MouseMove) {
            const QPoint place = static_cast<QMouseEvent*>(event)->globalPosition().toPoint();
            point(parts_.centre->mapFromGlobal(place));
        } else if (type == QEvent::Leave) {
            point(std::nullopt);
        } else if (type == QEvent::Wheel && spotlight_->isOn()) {
            const auto* wheel = static_cast<QWheelEvent*>(event);
            if (!wheel->modifiers().testFlag(Qt::ControlModifier)) return false;
            spotlight_->grow(wheel->angleDelta().y() > 0 ? 1 : -1);
            return true;
        }
        return false;
    }
    if (!watched->isWidgetType()) return false;
    auto* widget = static_cast<QWidget*>(watched);
    switch (type) {
        case QEvent::ShortcutOverride:
        case QEvent::KeyPress:
        case QEvent::KeyRelease:
            // Dialogs and menus keep their keys.
            if ((widget->window() != parts_.window && widget->window() != notes_) || QApplication::activePopupWidget())
                return false;
            event->accept();
            if (type == QEvent::KeyPress) press(*static_cast<QKeyEvent*>(event));
            return true;
        case QEvent::ShowToParent:
            if (qobject_cast<MessageArea*>(widget) && widget->parentWidget() == parts_.centre) widget->hide();
            if (widget == parts_.messages) hideSmallNews();
            if (widget == spotlight_) {
                // The caption is not dimmed.
                for (QWidget* over : std::initializer_list<QWidget*>{bar_, hint_, note_, curtain_}) over->raise();
            }
            return false;
        case QEvent::DynamicPropertyChange:
            if (widget == parts_.messages)
                QTimer::singleShot(0, this, [this] {
                    if (on_) hideSmallNews();
                });
            return false;
        case QEvent::Resize:
            if (widget == parts_.window) throttle_.ask();
            return false;
        default:
            return false;
    }
}

}  // namespace palimpsest
