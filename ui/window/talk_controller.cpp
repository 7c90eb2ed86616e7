// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/talk_controller.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QTimer>
#include <algorithm>
#include <array>
#include <utility>

#include "engine/record/run_folder.h"
#include "engine/support/text.h"
#include "ui/experiment/live_change_controller.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/stage/talk_dialog.h"
#include "ui/state/history_store.h"
#include "ui/state/number_text.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"

namespace palimpsest {
namespace {

const QString kTalkTopic = QStringLiteral("talk");
const QString kPrepareTopic = QStringLiteral("talk runs");

constexpr auto kPageNames = std::to_array<const char*>(
    {"Accuracy", "Classes", "Sessions", "Confusion", "Loss", "Prompts", "Memory", "Pushes", "Features"});
static_assert(kPageNames.size() == CurvesView::kPages);

/// Below the folder of runs as a name of its own, else absolute.
std::string placeOf(const std::filesystem::path& run, const std::filesystem::path& runs) {
    return run.parent_path() == runs ? run.filename().string() : run.string();
}

}  // namespace

TalkController::TalkController(WindowState& state, CurvesView* curves, MessageBar* messages, LiveChangeController* live,
                               QWidget* window)
    : state_(state), curves_(curves), messages_(messages), live_(live), window_(window), runs_(&state.library) {
    connect(&book_, &TalkBook::changed, this, &TalkController::refreshNeeds);
    connect(&runs_, &TalkRuns::found, this, [this] {
        fillCaptions();
        refreshNeeds();
        if (!std::exchange(prepare_asked_, false)) return;
        queue_ = missing();
        makeNext();
    });
    connect(state_.controller.bridge(0), &RunBridge::ended, this, &TalkController::onEnded);
    connect(&state_.controller, &RunController::stateChanged, this, [this] {
        if (queue_.empty() || !making_.empty() || !state_.controller.canStart()) return;
        // Once all who hear of this have heard of it.
        QTimer::singleShot(0, this, [this] {
            if (making_.empty()) makeNext();
        });
    });
}

TalkDialog* TalkController::dialog() const {
    return dialog_;
}

QString TalkController::talkFolder() const {
    return book_.file().isEmpty() ? QString() : QFileInfo(book_.file()).absolutePath();
}

void TalkController::showDialog(const QString& folder) {
    folder_ = folder;
    if (!dialog_) {
        dialog_ = new TalkDialog(&book_, window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog_, &TalkDialog::openAsked, this, &TalkController::open);
        connect(dialog_, &TalkDialog::otherAsked, this, &TalkController::askForFile);
        connect(dialog_, &TalkDialog::saveAsked, this, &TalkController::askWhereToSave);
        connect(dialog_, &TalkDialog::addAsked, this, &TalkController::addMoment);
        connect(dialog_, &TalkDialog::prepareAsked, this, &TalkController::prepare);
        connect(dialog_, &TalkDialog::unloadAsked, this, &TalkController::close);
        connect(dialog_, &TalkDialog::stageAsked, this, [this](int scene) {
            stageEntered();
            Q_EMIT stageAsked(scene);
        });
        background_.run([] { return shippedTalks(); },
                        [this](const std::vector<ShippedTalk>& talks) {
                            if (dialog_) dialog_->setShipped(talks);
                        },
                        [this](const Failure& failure) {
                            messages_->showLatest(MessageBar::Kind::Note, kTalkTopic, failure.message, failure.hint);
                        });
    }
    fillCaptions();
    refreshNeeds();
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

void TalkController::open(const QString& file) {
    unlessUnsaved(tr("Open it"), [this, file] { read(file); });
}

void TalkController::unlessUnsaved(const QString& verb, const std::function<void()>& go) {
    if (!book_.modified()) return go();
    messages_->showLatest(MessageBar::Kind::Note, kTalkTopic, tr("The talk was changed and is not saved."),
                          tr("Save it first, or go on: its changes are lost then."),
                          {{tr("Save talk …"), [this] { askWhereToSave(); }}, {verb, go}});
}

void TalkController::read(const QString& file) {
    background_.run([file = file.toStdString()] { return readTalk(file); },
                    [this, file](const Talk& talk) {
                        book_.open(talk, file);
                        findRuns();
                    },
                    [this](const Failure& failure) {
                        messages_->showMessage(MessageBar::Kind::Error, failure.message, failure.hint, {}, kTalkTopic);
                    });
}

void TalkController::close() {
    unlessUnsaved(tr("Close it"), [this] { closeNow(); });
}

void TalkController::closeNow() {
    queue_.clear();
    making_.clear();
    book_.close();
    QStringList brought;
    for (const QString& id : runs_.takeBrought())
        if (state_.library.row(id)) brought.append(id);
    if (brought.isEmpty()) return messages_->showPassing(kTalkTopic, tr("The talk is closed."), {});
    messages_->showLatest(MessageBar::Kind::Done, kTalkTopic, tr("The talk is closed."),
                          brought.size() == 1
                              ? tr("The recorded run that came with it stays in the list.")
                              : tr("The %1 recorded runs that came with it stay in the list.").arg(brought.size()),
                          {{brought.size() == 1 ? tr("Take it out") : tr("Take them out"),
                            [this, brought] { state_.library.remove(brought); }}});
}

void TalkController::stageEntered() {
    if (!dialog_ || !dialog_->isVisible()) return;
    dialog_->hide();
    from_list_ = true;
}

void TalkController::stageLeft(int scene) {
    if (!std::exchange(from_list_, false) || !dialog_) return;
    // Once the window has its own size again; one that is closed has no use for the list.
    QTimer::singleShot(0, this, [this, scene] {
        if (!dialog_ || !window_->isVisible()) return;
        dialog_->show();
        dialog_->choose(scene);
    });
}

void TalkController::askForFile() {
    auto* dialog = new QFileDialog(window_, tr("Open a talk"), folder_);
    dialog->setObjectName("openTalkDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Talk (*.toml)")});
    connect(dialog, &QFileDialog::fileSelected, this, &TalkController::open);
    dialog->show();
}

void TalkController::askWhereToSave() {
    auto* dialog = new QFileDialog(window_, tr("Save talk"), folder_);
    dialog->setObjectName("saveTalkDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("Talk (*.toml)")});
    dialog->setDefaultSuffix("toml");
    const std::string name = slug(book_.talk().title, 60);
    dialog->selectFile(QString::fromStdString(name.empty() ? "talk" : name));
    connect(dialog, &QFileDialog::fileSelected, this, &TalkController::save);
    dialog->show();
}

void TalkController::save(const QString& file) {
    background_.run(
        [talk = book_.talk(), file = file.toStdString()] {
            writeTalk(talk, file);
            return talk;
        },
        [this, file](const Talk& talk) {
            book_.keep(talk, file);
            messages_->showPassing(kTalkTopic, tr("Saved %1").arg(QFileInfo(file).fileName()), {});
        },
        [this](const Failure& failure) {
            messages_->showMessage(MessageBar::Kind::Error, failure.message, failure.hint, {}, kTalkTopic);
        });
}

void TalkController::addMoment() {
    const RunSet& shown = state_.figures.runs;
    TalkScene scene;
    std::string caption;
    for (const ShownRun* run : shown.visibleRuns()) {
        if (!HistoryStore::hasFolder(run->id) || scene.runs.size() == kMostSceneRuns) continue;
        const std::string& name = run->facts->experiment.name;
        const std::string known = book_.nameOf(placeOf(run->id.toStdString(), state_.library.folder()), name);
        if (known.empty()) continue;
        scene.runs.push_back(known);
        if (caption.empty()) caption = "{name}: {accuracy} %";
    }
    const CurvesView::Page page = curves_->page();
    scene.figure = kPageNames[static_cast<std::size_t>(page)];
    const PlotView* alone = page == CurvesView::kAccuracy ? curves_->alone() : nullptr;
    if (alone) scene.figure = alone == curves_->retention() ? "Retention" : "Anytime accuracy";
    const ShownRun* selected = shown.selected();
    if (const auto moment = state_.figures.cursor.pinned(); moment && selected) {
        const std::vector<std::int64_t>& starts = selected->facts->session_starts;
        const auto end = std::ranges::find(starts, *moment);
        const bool border = end != starts.end() && end != starts.begin();
        scene.at = border ? TalkMoment{TalkMoment::Kind::Session, end - starts.begin()}
                          : TalkMoment{TalkMoment::Kind::Images, *moment};
        if (!caption.empty())
            caption = "{name}: {accuracy(" +
                      (border ? "session " + std::to_string(scene.at.number) : std::to_string(*moment)) + ")} %";
    }
    scene.caption = caption.empty() ? tr("A scene").toStdString() : caption;
    if (!book_.add(scene)) {
        messages_->showLatest(MessageBar::Kind::Note, kTalkTopic, tr("The talk is full."),
                              tr("A talk has at most %1 scenes.").arg(kMostScenes));
        return;
    }
    findRuns();
    if (dialog_) return dialog_->choose(book_.scenes() - 1);
    messages_->showLatest(MessageBar::Kind::Done, kTalkTopic, tr("Scene %1 was added to the talk.").arg(book_.scenes()),
                          tr("It shows what is in front now. Its caption is yours to write."),
                          {{tr("Write it"), [this] {
                                showDialog(folder_);
                                dialog_->choose(book_.scenes() - 1);
                            }}});
}

void TalkController::findRuns() {
    runs_.look(book_.talk(), talkFolder(), true);
}

std::deque<std::string> TalkController::missing() const {
    std::deque<std::string> names;
    for (const std::string& name : book_.talk().needed())
        if (runs_.experiment(name) && !runs_.find(name)) names.push_back(name);
    return names;
}

void TalkController::fillCaptions() {
    if (dialog_) dialog_->setCaptions([this](const TalkScene& scene) { return runs_.caption(scene); });
}

void TalkController::refreshNeeds() {
    if (!dialog_) return;
    if (book_.empty())
        return dialog_->setNeeds(tr("Open a talk, or add what is in front now as its first scene."), false);
    if (!making_.empty())
        return dialog_->setNeeds(
            tr("Makes “%1”; %2 to go.").arg(QString::fromStdString(making_)).arg(queue_.size() + 1), false);
    if (!runs_.ready()) return dialog_->setNeeds(tr("Looks for the runs …"), false);
    const std::deque<std::string> todo = missing();
    double seconds = 0;
    bool known = true;
    for (const std::string& name : todo) {
        const double its = book_.talk().run(name)->seconds;
        known = known && its > 0;
        seconds += its;
    }
    QStringList lost;
    for (const std::string& name : book_.talk().needed())
        if (!runs_.find(name) && std::ranges::find(todo, name) == todo.end() && !runs_.missing(name).isEmpty())
            lost.append(QString::fromStdString(name));
    QString sentence = tr("All runs of the talk are here.");
    if (todo.size() == 1)
        sentence = tr("1 run is to be made first");
    else if (!todo.empty())
        sentence = tr("%1 runs are to be made first").arg(todo.size());
    if (!todo.empty())
        sentence += known ? tr(": about %1 on two processor cores.").arg(durationText(seconds)) : QStringLiteral(".");
    if (!lost.isEmpty()) {
        sentence = tr("Missing, and not to be made here: %1.").arg(lost.join(tr(", "))) +
                   (todo.empty() ? QString() : ' ' + sentence);
    }
    dialog_->setNeeds(sentence, !todo.empty() && !preparing());
}

void TalkController::prepare() {
    if (preparing()) return;
    if (!state_.controller.canStart()) {
        messages_->showLatest(MessageBar::Kind::Note, kPrepareTopic, tr("Another run is not finished."),
                              tr("Prepare the talk once it has ended."));
        return;
    }
    prepare_asked_ = true;
    findRuns();
}

void TalkController::makeNext() {
    if (queue_.empty()) return refreshNeeds();
    // It goes on as soon as what learns now has ended.
    if (!state_.controller.canStart()) return;
    making_ = queue_.front();
    queue_.pop_front();
    state_.controller.start(FreshLaunch{runs_.experiment(making_)});
    live_->ignoreDraft();
    if (!state_.controller.busy()) {
        making_.clear();
        queue_.clear();
    }
    refreshNeeds();
}

void TalkController::onEnded(const RunEnded& event) {
    const std::string name = std::exchange(making_, {});
    if (name.empty()) return;
    // Who stops one, or sees it fail, does not want the rest.
    if (event.how != RunEnd::Finished) queue_.clear();
    if (event.how == RunEnd::Finished && queue_.empty())
        messages_->showPassing(kPrepareTopic, tr("The talk is prepared: all its runs are here."), {});
    // The list knows the run a moment later.
    const QString folder = QString::fromStdString(event.folder);
    if (!folder.isEmpty()) {
        auto* once = new QObject(this);
        connect(&state_.library, &RunLibrary::scanned, once, [this, once] {
            once->deleteLater();
            findRuns();
        });
        state_.library.touch(folder);
    }
    refreshNeeds();
    // The lane is free already, or says so next.
    QTimer::singleShot(0, this, [this] {
        if (making_.empty()) makeNext();
    });
}

}  // namespace palimpsest
