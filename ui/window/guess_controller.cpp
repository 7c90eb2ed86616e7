// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/guess_controller.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/record/guess.h"
#include "engine/support/file_io.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/history_store.h"
#include "ui/state/key_names.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

constexpr int kGuessWords = 20, kAroundGuess = 16;  // height: of the words, which grow, and around them
constexpr std::int64_t kUnknownStream = 6000;       // images, while the next stream is not known
const QString kGuessTopic = QStringLiteral("guess");

struct ExportedGuesses {
    std::vector<std::string> unread;
    qsizetype rows = 0;
};

}  // namespace

GuessStrip::GuessStrip(QWidget* parent)
    : QFrame(parent),
      words_(new FittingLabel),
      start_(makeButton("startGuessed", tr("Start and look"),
                        tr("Start the run; its curves grow over your guess. A replay or the demo that begins next "
                           "takes the guess, too."))),
      undo_(makeLink("undoGuess", tr("Undo"), tr("Take the last stroke back (in a figure: Ctrl+Z)"))),
      clear_(makeLink("clearGuess", tr("Clear"), tr("Draw the guess anew"))) {
    setObjectName("guessStrip");
    setAccessibleName(tr("Guess first"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 0, 6, 0);
    row->setSpacing(8);
    styleLabel(words_, text_size::kText, QFont::Normal, false);
    words_->setObjectName("guessWords");
    row->addWidget(words_, 1);
    start_->setProperty("primary", true);
    row->addWidget(start_);
    QToolButton* end = makeLink("endGuess", tr("Cancel"), tr("Go on without a guess"));
    for (QToolButton* button : {undo_, clear_, end}) {
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    connect(start_, &QPushButton::clicked, this, &GuessStrip::startAsked);
    connect(undo_, &QToolButton::clicked, this, &GuessStrip::undoAsked);
    connect(clear_, &QToolButton::clicked, this, &GuessStrip::clearAsked);
    connect(end, &QToolButton::clicked, this, &GuessStrip::endAsked);
    fitToText(this, [this] { setFixedHeight(scaled(kGuessWords) + kAroundGuess); });
    hide();
}

void GuessStrip::setState(bool drawn, bool undo, bool ready, bool lanes) {
    const QString asked = lanes ? tr("What do you expect of lane A?") : tr("What do you expect?");
    words_->setTexts(
        {tr("%1 Drag across the figures (by keyboard: Shift+Left, Shift+Right, Up, Down): how many test images of all "
            "classes so far it will recognise, and what will be left of session 1.")
             .arg(asked),
         tr("%1 Drag across the figures: how many test images it will recognise, and what will be left of session 1.")
             .arg(asked),
         tr("%1 Drag across the figures, then start.").arg(asked), tr("Drag across the figures.")});
    undo_->setEnabled(undo);
    clear_->setEnabled(drawn);
    start_->setEnabled(drawn && ready);
}

GuessController::GuessController(WindowState& state, ExperimentPanel* panel, MessageBar* messages, QAction* guess,
                                 QWidget* window)
    : state_(state), messages_(messages), guess_(guess), window_(window), strip_(new GuessStrip) {
    GuessBook* book = &state_.figures.guesses;
    RunController* controller = &state_.controller;
    setStream(nullptr);
    connect(panel, &ExperimentPanel::streamShown, this, &GuessController::setStream);
    connect(guess_, &QAction::triggered, this, &GuessController::begin);
    connect(book, &GuessBook::changed, this, &GuessController::refresh);
    connect(&state_.lane_b, &LaneDraft::onChanged, this, &GuessController::refresh);
    // Aligned by session, nothing can be drawn.
    connect(&state_.figures.options, &CurveOptions::changed, this, [this, book] {
        if (!book->drawing() || !state_.figures.options.values().by_session) return;
        former_ = state_.figures.options.values();
        begin(false);
    });
    connect(controller, &RunController::stateChanged, this, &GuessController::refresh);
    connect(strip_, &GuessStrip::startAsked, controller, &RunController::startOrResume);
    connect(strip_, &GuessStrip::undoAsked, book, &GuessBook::undoStroke);
    connect(strip_, &GuessStrip::clearAsked, book, &GuessBook::clearNext);
    connect(strip_, &GuessStrip::endAsked, this, [this] { begin(false); });
    connect(controller->bridge(0), &RunBridge::started, this, &GuessController::onStarted);
    connect(controller->bridge(0), &RunBridge::ended, this, &GuessController::onEnded);
    connect(&state_.figures.runs, &RunSet::runsChanged, this, &GuessController::readSelected);
    refresh();
}

void GuessController::setStream(const std::shared_ptr<const PlannedStream>& stream) {
    std::int64_t images = 0;
    if (stream)
        for (const auto& session : stream->plan.sessions) images += std::ssize(session);
    const std::int64_t sessions =
        stream ? std::ssize(stream->plan.sessions) : state_.controller.draft()->experiment().stream.sessions;
    state_.figures.guesses.setStream(images > 0 ? images : kUnknownStream, sessions);
}

void GuessController::refresh() {
    const GuessBook& book = state_.figures.guesses;
    guess_->setChecked(book.drawing());
    guess_->setEnabled(state_.controller.canStart() || book.drawing());
    strip_->setVisible(book.drawing());
    strip_->setState(!book.next().empty(), book.canUndo(), state_.controller.canStart(), state_.lane_b.on());
}

void GuessController::begin(bool drawing) {
    GuessBook* book = &state_.figures.guesses;
    if (drawing) {
        Q_EMIT figuresNeeded();
        // Guesses are drawn over plain axes.
        former_ = state_.figures.options.values();
        CurveOptions::Values values = former_;
        values.by_session = values.log_x = false;
        state_.figures.options.set(values);
        messages_->withdraw(kGuessTopic);
    } else {
        book->clearNext();
    }
    book->setDrawing(drawing);
    if (!drawing) {
        CurveOptions::Values values = state_.figures.options.values();
        values.by_session = former_.by_session;
        values.log_x = former_.log_x;
        state_.figures.options.set(values);
    }
    refresh();
}

void GuessController::onStarted(const RunStarted& event) {
    const QString id = RunSet::idOf(event.folder, event.run);
    const std::int64_t sessions =
        event.plan ? std::ssize(event.plan->sessions)
                   : (event.replayed ? std::ssize(event.replayed->session_starts) : event.experiment.stream.sessions);
    const Guess guess = state_.figures.guesses.giveTo(id, event.total_samples, sessions);
    run_ = guess.empty() ? QString() : id;
    if (guess.empty() || event.folder.empty()) return;
    files_.run([folder = event.folder, guess] { return keepFirstGuess(folder, guess); },
               [this](bool kept) {
                   if (kept) return;
                   messages_->showPassing(QStringLiteral("first guess"), tr("This run was guessed before."),
                                          tr("The first guess stays with it; this one is compared, and not kept."));
               },
               [this](const Failure& failure) {
                   messages_->showLatest(MessageBar::Kind::Note, kGuessTopic, failure.message,
                                         tr("The guess is shown, but it does not stay with the run."));
               });
}

void GuessController::onEnded(const RunEnded&) {
    const ShownRun* run = state_.figures.runs.find(std::exchange(run_, {}));
    if (!run) return;
    const Guess guess = state_.figures.guesses.of(run->id);
    const auto anytime = guessScore(guess.anytime, measuredAnytime(run->points.anytime()));
    const auto retention = guessScore(guess.retention, measuredRetention(run->points.retentionOf(0)));
    QStringList sentences;
    if (anytime)
        sentences << tr("Your guess of the accuracy was %1.")
                         .arg(QString::fromStdString(guessSentence(GuessedCurve::Anytime, *anytime)));
    if (retention)
        sentences << tr("Your guess of session 1 was %1.")
                         .arg(QString::fromStdString(guessSentence(GuessedCurve::Retention, *retention)));
    if (sentences.isEmpty()) return;
    const QString first = sentences.takeFirst();
    // In front of what others say of the same end.
    QTimer::singleShot(0, messages_, [messages = messages_, first, rest = sentences.join(' ')] {
        messages->showNews(kGuessTopic, first, rest);
    });
}

void GuessController::readSelected() {
    const ShownRun* run = state_.figures.runs.selected();
    GuessBook* book = &state_.figures.guesses;
    if (!run || book->knows(run->id) || !HistoryStore::hasFolder(run->id)) return;
    book->set(run->id, {});  // asked for once
    files_.run([folder = run->id.toStdString()] { return readGuess(folder); },
               [book, id = run->id](const Guess& guess) {
                   // One that was drawn meanwhile is newer.
                   if (book->of(id).empty()) book->set(id, guess);
               },
               [this](const Failure& failure) {
                   messages_->showLatest(MessageBar::Kind::Note, kGuessTopic, failure.message, failure.hint);
               });
}

void GuessController::askWhereToExport(const QString& folder) {
    auto* dialog = new QFileDialog(window_, tr("Export guesses"), folder);
    dialog->setObjectName("exportGuessesDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Table (*.csv)")});
    dialog->setDefaultSuffix("csv");
    dialog->selectFile("guesses");
    connect(dialog, &QFileDialog::fileSelected, this, &GuessController::exportTo);
    dialog->show();
}

void GuessController::exportTo(const QString& file) {
    std::vector<std::filesystem::path> runs;
    for (const RunRowPtr& row : state_.library.rows()) runs.push_back(row->folder);
    exporting_.run(
        [table = &state_.table, runs = std::move(runs), file = file.toStdString()] {
            ExportedGuesses result;
            const std::string text = guessTable(*table, runs, &result.unread);
            result.rows = std::ranges::count(text, '\n') - 1;
            replaceTextFile(file, text, Keep::OnDiskWithName);
            return result;
        },
        [this, name = QFileInfo(file).fileName()](const ExportedGuesses& result) {
            const QString said = result.rows > 0
                                     ? tr("Saved %1").arg(name)
                                     : tr("Saved %1, a table without rows: no run in the list was guessed.").arg(name);
            if (result.unread.empty()) return messages_->showPassing(kGuessTopic, said, {});
            messages_->showLatest(MessageBar::Kind::Note, kGuessTopic, said,
                                  QString::fromStdString(result.unread.front()));
        },
        [this](const Failure& failure) {
            messages_->showMessage(MessageBar::Kind::Error, failure.message, failure.hint, {}, kGuessTopic);
        });
}

}  // namespace palimpsest
