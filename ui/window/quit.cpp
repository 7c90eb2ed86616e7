// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/quit.h"

#include <fcntl.h>
#include <unistd.h>
#include <QPushButton>
#include <QSocketNotifier>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/record/checkpoints.h"
#include "engine/support/process.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/runs/trust_job.h"
#include "ui/state/number_text.h"
#include "ui/state/remote_runs.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_lane.h"
#include "ui/state/run_queue.h"
#include "ui/state/talk_book.h"
#include "ui/widgets/controls.h"
#include "ui/window/dataset_controller.h"

namespace palimpsest {
namespace {

/// So many signals end a program whose run does not stop.
constexpr int kMostPatience = 3;

struct sigaction g_before[std::size(kEndingSignals)];

int g_pipe[2] = {-1, -1};

/// Only what is allowed in a signal handler.
void onSignal(int) {
    const int kept = errno;
    const char byte = 1;
    [[maybe_unused]] const auto written = write(g_pipe[1], &byte, 1);
    errno = kept;
}

struct Texts {
    QString going_on, kept, quit, stay;
};

/// "2 runs of the queue are running, 5 wait."
QString goingOn(int queued, int waiting) {
    if (queued == 0) return QuitQuestion::tr("What ran in the queue has ended.");
    const QString running = queued == 1 ? QuitQuestion::tr("A run of the queue is running")
                                        : QuitQuestion::tr("%1 runs of the queue are running").arg(queued);
    if (waiting == 0) return running + QStringLiteral(".");
    return running + (waiting == 1 ? QuitQuestion::tr(", one waits.") : QuitQuestion::tr(", %1 wait.").arg(waiting));
}

Texts textsOf(QuitQuestion::Work work, const QString& name, int queued, int waiting) {
    const QString stop = QuitQuestion::tr("Stop and quit");
    switch (work) {
        case QuitQuestion::Work::Run:
            return {QuitQuestion::tr("“%1” is not finished.").arg(name),
                    QuitQuestion::tr("It can be stopped here; what it has learned and measured so far is kept."), stop,
                    QuitQuestion::tr("Keep learning")};
        case QuitQuestion::Work::Adaptation:
            return {QuitQuestion::tr("The initial session is not finished."),
                    QuitQuestion::tr("It can be stopped here: the prompts are kept as they are and can go on later."),
                    stop, QuitQuestion::tr("Keep learning")};
        case QuitQuestion::Work::Checks:
            return {QuitQuestion::tr("The checks of trust are not finished."),
                    QuitQuestion::tr("Their verdicts stand on their page alone, and are lost when the program ends."),
                    stop, QuitQuestion::tr("Keep checking")};
        case QuitQuestion::Work::Prompts: {
            const QString lost = QuitQuestion::tr(
                "They are lost when the program ends. Run > Initial session lets you "
                "choose another place for them.");
            const QString run = name.isEmpty() ? QString()
                                               : ' ' + QuitQuestion::tr(
                                                           "“%1” is stopped, too; what it has learned and "
                                                           "measured so far is kept.")
                                                           .arg(name);
            return {QuitQuestion::tr("The prompts of the initial session are not written yet."), lost + run,
                    QuitQuestion::tr("Quit without them"), QuitQuestion::tr("Go back")};
        }
        case QuitQuestion::Work::Talk:
            return {QuitQuestion::tr("The talk was changed and is not saved."),
                    QuitQuestion::tr("Its changes are lost when the program ends. View > Talk … has a button that "
                                     "saves it."),
                    QuitQuestion::tr("Quit without saving"), QuitQuestion::tr("Go back")};
        case QuitQuestion::Work::Queue:
            return {goingOn(queued, waiting),
                    QuitQuestion::tr("What is running can go on without the window; the next window finds it again. Or "
                                     "it stops at its next batch, keeps what it learned, and goes on next time. What "
                                     "waits begins once a window is open."),
                    stop, QuitQuestion::tr("Stay")};
        case QuitQuestion::Work::There:
            return {QuitQuestion::tr("Work is being started on another machine."),
                    QuitQuestion::tr("The window closes when that machine has answered, so that the next one follows "
                                     "what has begun there."),
                    QuitQuestion::tr("Quit after its answer"), QuitQuestion::tr("Stay")};
        case QuitQuestion::Work::Learner:
            return {QuitQuestion::tr("The program that learns has not answered yet."),
                    QuitQuestion::tr("Quitting ends it at once."), QuitQuestion::tr("End it and quit"),
                    QuitQuestion::tr("Keep waiting")};
        case QuitQuestion::Work::Fetch:
            break;
    }
    return {QuitQuestion::tr("A data set is still being fetched."),
            QuitQuestion::tr("What has arrived is kept, and the next fetch goes on from there."), stop,
            QuitQuestion::tr("Go on fetching")};
}

}  // namespace

QuitSignals::QuitSignals(QObject* parent) : QObject(parent) {
    if (pipe2(g_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return;  // then these signals end the program as they always do
    auto* notifier = new QSocketNotifier(g_pipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &QuitSignals::readSignals);
    struct sigaction action {};
    action.sa_handler = onSignal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
        const int number = kEndingSignals[i];
        sigaction(number, staysIgnored(number) ? nullptr : &action, &g_before[i]);
    }
}

QuitSignals::~QuitSignals() {
    if (g_pipe[0] < 0) return;
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) sigaction(kEndingSignals[i], &g_before[i], nullptr);
    for (int& end : g_pipe) close(std::exchange(end, -1));
}

void QuitSignals::readSignals() {
    char bytes[16];
    for (ssize_t count = 0; (count = read(g_pipe[0], bytes, sizeof bytes)) > 0;) received_ += static_cast<int>(count);
    if (received_ >= kMostPatience) std::_Exit(1);
    Q_EMIT asked();
}

QuitQuestion::QuitQuestion(Work work, const QString& name, bool talk, int queued, int waiting, QWidget* window)
    : QMessageBox(window), work_(work) {
    const Texts texts = textsOf(work, name, queued, waiting);
    // One question for all: whoever stops and quits is not asked again.
    if (queued > 0 && work != Work::Queue)
        beside_ = goingOn(queued, waiting) + ' ' +
                  tr("What is running there stops at its next batch and goes on next time, or goes on without the "
                     "window.");
    if (talk && work != Work::Talk) {
        if (!beside_.isEmpty()) beside_ += ' ';
        beside_ += tr("The talk was changed and is not saved: that is lost.");
    }
    kept_ = texts.kept;
    if (work == Work::Learner)
        from_ = tr("What it learned since the newest checkpoint of the run is lost, and the run can go on from there.");
    setObjectName("quitQuestion");
    setAttribute(Qt::WA_DeleteOnClose);
    setIcon(NoIcon);
    setWindowTitle(tr("Quit Palimpsest?"));
    setText(texts.going_on);
    showKept();
    alignTexts(this);
    QPushButton* quit = addButton(texts.quit, AcceptRole);
    QPushButton* stay = addButton(texts.stay, RejectRole);
    quit->setObjectName("quitButton");
    stay->setObjectName("stayButton");
    setDefaultButton(stay);
    setEscapeButton(stay);
    connect(quit, &QPushButton::clicked, this, [this] { Q_EMIT quitChosen(false); });
    if (queued == 0) return;
    QPushButton* leave =
        addButton(work == Work::Queue ? tr("Quit, and let it go on") : tr("Quit, and let the queue go on"), AcceptRole);
    leave->setObjectName("letGoOnButton");
    connect(leave, &QPushButton::clicked, this, [this] { Q_EMIT quitChosen(true); });
}

void QuitQuestion::setQueued(int queued, int waiting) {
    if (work_ == Work::Queue) setText(goingOn(queued, waiting));
}

void QuitQuestion::showKept() {
    QStringList sentences{kept_, from_, beside_};
    sentences.removeAll(QString());
    setInformativeText(sentences.join(' '));
}

void QuitQuestion::tellLearner(const std::optional<LearnerWait>& wait, bool closing) {
    if (wait) setText(tr("The program that learns has not answered for %1 s.").arg(countText(wait->seconds)));
    if (closing) kept_ = tr("The window closes when it has answered. Quitting without waiting ends it at once.");
    showKept();
}

void QuitQuestion::tellCheckpoint(std::optional<std::int64_t> newest) {
    if (!newest)
        from_ = tr("The run has no checkpoint yet, so it cannot go on later: what it learned is lost.");
    else if (*newest == 0)
        from_ = tr("The run can go on from its beginning: what it learned is lost.");
    else
        from_ = tr("The run can go on from its checkpoint at %1 images: what it learned since then is lost.")
                    .arg(countText(*newest));
    showKept();
}

QuitController::QuitController(RunController* controller, RunQueue* queue, AdaptationController* adaptation,
                               TrustJob* checks, DatasetController* datasets, const RemoteRuns* remote,
                               const TalkBook* talk, QWidget* window)
    : controller_(controller),
      queue_(queue),
      adaptation_(adaptation),
      checks_(checks),
      datasets_(datasets),
      remote_(remote),
      talk_(talk),
      window_(window) {
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane) {
        RunBridge* bridge = controller_->bridge(lane);
        connect(bridge, &RunBridge::started, this,
                [this, lane](const RunStarted& event) { folders_[lane] = QString::fromStdString(event.folder); });
        connect(bridge, &RunBridge::ended, this, [this, lane] {
            folders_[lane].clear();
            continueClosing();
        });
    }
    connect(controller_, &RunController::stateChanged, this, &QuitController::withdrawQuestion);
    // Queued: a fetch that had not begun ends while the window is being closed.
    connect(datasets_->library(), &DatasetLibrary::settled, this, &QuitController::continueClosing,
            Qt::QueuedConnection);
    // Whoever chose to stop and quit stays to read that nothing was kept. What the system ends, ends.
    connect(adaptation_->controller(), &AdaptationJob::ended, this, [this](const AdaptationEnded& event) {
        if (!quit_chosen_ || event.how != AdaptationEnded::How::Failed) return;
        closing_ = quit_chosen_ = false;
        queue_->setOutlived(false);
    });
    // Queued: messages about its end are shown first.
    connect(
        adaptation_->controller(), &AdaptationJob::stateChanged, this,
        [this] {
            if (!adaptation_->busy()) continueClosing();
        },
        Qt::QueuedConnection);
    // Queued: what was begun there is followed first, which notes it.
    connect(remote_, &RemoteRuns::answered, this, &QuitController::continueClosing, Qt::QueuedConnection);
    connect(talk_, &TalkBook::changed, this, &QuitController::continueClosing);
    connect(queue_, &RunQueue::changed, this, [this] {
        withdrawQuestion();
        if (question_) question_->setQueued(queue_->working(), queue_->waiting());
    });
    // Queued: their page shows their end first.
    connect(
        checks_, &TrustJob::stateChanged, this,
        [this] {
            if (!checks_->busy()) continueClosing();
        },
        Qt::QueuedConnection);
}

void QuitController::continueClosing() {
    withdrawQuestion();
    if (closing_ && !busy()) window_->close();
}

bool QuitController::mayClose() {
    // A person closes it again: it closes by itself only when nothing is waited for.
    if (closing_ && controller_->canStopNow()) ask();
    const bool asks = !closing_ && (busy() || promptsUnwritten() || talk_->modified() || queueWorks());
    const bool may = !busy() && !asks;
    if (asks) ask();
    // There is nothing of it to keep.
    if (may && controller_->replaying()) controller_->stop();
    return may;
}

bool QuitController::busy() const {
    return (controller_->busy() && !controller_->replaying()) || adaptation_->busy() || checks_->busy() ||
           datasets_->busy() || remote_->beginning();
}

bool QuitController::queueWorks() const {
    return queue_->working() > 0;
}

bool QuitController::promptsUnwritten() const {
    return adaptation_->controller()->unwritten();
}

void QuitController::ask() {
    if (!question_) {
        const Experiment* running = controller_->running();
        const auto work = closing_                    ? QuitQuestion::Work::Learner
                          : promptsUnwritten()        ? QuitQuestion::Work::Prompts
                          : controller_->canStopNow() ? QuitQuestion::Work::Learner
                          : running                   ? QuitQuestion::Work::Run
                          : adaptation_->busy()       ? QuitQuestion::Work::Adaptation
                          : checks_->busy()           ? QuitQuestion::Work::Checks
                          : datasets_->busy()         ? QuitQuestion::Work::Fetch
                          : remote_->beginning()      ? QuitQuestion::Work::There
                          : queueWorks()              ? QuitQuestion::Work::Queue
                                                      : QuitQuestion::Work::Talk;
        question_ = new QuitQuestion(work, running ? QString::fromStdString(running->name) : QString(),
                                     !closing_ && talk_->modified(), closing_ ? 0 : queue_->working(),
                                     queue_->waiting(), window_);
        if (work == QuitQuestion::Work::Learner) describeLearner();
        connect(question_, &QuitQuestion::quitChosen, this, [this, work](bool letGoOn) {
            const bool ends = work == QuitQuestion::Work::Learner;
            if (ends && closing_) return controller_->stopNow();
            quit_chosen_ = true;
            queue_->setOutlived(letGoOn);
            stopAll();
            if (ends) controller_->stopNow();
        });
    }
    question_->open();
}

void QuitController::describeLearner() {
    question_->tellLearner(controller_->stopWaitsFor(), closing_);
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane) {
        const RunLane& each = controller_->lane(lane);
        if (folders_[lane].isEmpty() || each.state() != RunState::Stopping || !each.wait()) continue;
        looks_.runNewest(
            [folder = std::filesystem::path(folders_[lane].toStdString())] {
                const std::vector<std::int64_t> kept = listCheckpoints(folder);
                return kept.empty() ? std::nullopt : std::optional(kept.front());
            },
            [this, asked = question_](const std::optional<std::int64_t>& newest) {
                if (asked) asked->tellCheckpoint(newest);
            },
            [](const Failure&) {});  // then it says no number
        return;
    }
}

void QuitController::withdrawQuestion() {
    if (!question_) return;
    const auto still = [this] {
        switch (question_->work()) {
            case QuitQuestion::Work::Prompts:
                return promptsUnwritten();
            case QuitQuestion::Work::Talk:
                return talk_->modified();
            case QuitQuestion::Work::Queue:
                // Also when its runs have ended meanwhile: the answer may be on its way to this question.
                return !busy() && !promptsUnwritten();
            case QuitQuestion::Work::Learner:
                return controller_->canStopNow();
            default:
                return busy() && !promptsUnwritten();
        }
    };
    if (!still()) question_->close();
}

void QuitController::stopAndClose() {
    quit_chosen_ = false;
    queue_->setOutlived(false);
    stopAll();
}

void QuitController::stopAll() {
    // A run, prompts, checks and a fetch stop, and the window closes when they have.
    closing_ = true;
    if (question_) question_->close();
    controller_->stop();
    adaptation_->controller()->stop();
    adaptation_->closeDialog();
    checks_->stop();
    datasets_->library()->cancelAll();
    if (!busy()) window_->close();
}

}  // namespace palimpsest
