// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lesson_controller.h"

#include <QAction>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QTimer>
#include <algorithm>

#include "ui/commands/action_book.h"
#include "ui/lessons/lesson_facts.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/point_frame.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/option_finder.h"
#include "ui/window/window_docks.h"

namespace palimpsest {
namespace {

constexpr int kJudgeMs = 200;
constexpr int kBesideLesson = 8;  // pixels from a menu to the panel
const QString kLessonTopic = QStringLiteral("lesson");

/// Buttons that stand for commands in sight.
QString buttonOf(const QString& command) {
    static const QHash<QString, QString> kButtons = {{"startRun", "startButton"},
                                                     {"pauseRun", "startButton"},
                                                     {"stepRun", "stepButton"},
                                                     {"stopRun", "stopButton"},
                                                     {"forkHere", "timeLine.forkHere"}};
    return kButtons.value(command);
}

/// The first of the menus, at any depth, that holds the action.
QMenu* menuOf(const QList<QAction*>& actions, const QAction* action) {
    for (const QAction* each : actions) {
        QMenu* menu = each->menu();
        if (!menu) continue;
        if (menu->actions().contains(action)) return menu;
        if (QMenu* deeper = menuOf(menu->actions(), action)) return deeper;
    }
    return nullptr;
}

/// Where the keyboard goes in what is shown: the widget itself or the first in it that takes the focus.
QWidget* focusIn(QWidget* widget) {
    if (widget->focusPolicy() != Qt::NoFocus && widget->isEnabled()) return widget;
    for (QWidget* each : widget->findChildren<QWidget*>())
        if (each->isVisible() && each->isEnabled() && (each->focusPolicy() & Qt::TabFocus)) return each;
    return nullptr;
}

}  // namespace

LessonController::LessonController(WindowState& state, std::filesystem::path own, QWidget* window)
    : state_(state),
      own_(std::move(own)),
      window_(window),
      panel_(new LessonPanel(&book_)),
      judging_(
          kJudgeMs, [this] { judge(); }, this) {
    connect(panel_, &LessonPanel::setUpAsked, this, &LessonController::setUp);
    connect(panel_, &LessonPanel::showAsked, this, &LessonController::showPlace);
    connect(panel_, &LessonPanel::pageAsked, this, &LessonController::pageAsked);
    connect(panel_, &LessonPanel::openAsked, this, &LessonController::askForLesson);
    const auto ask = [this] {
        if (book_.waits()) judging_.ask();
    };
    connect(&book_, &LessonBook::changed, this, ask);
    connect(&state_.figures.guesses, &GuessBook::changed, this, ask);
    connect(&state_.figures.runs, &RunSet::changed, this, ask);
    connect(&state_.figures.runs, &RunSet::runsChanged, this, ask);
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane) {
        connect(state_.controller.bridge(lane), &RunBridge::started, this, &LessonController::onStarted);
        connect(state_.controller.bridge(lane), &RunBridge::ended, this, ask);
    }
}

void LessonController::connectTo(const Widgets& widgets) {
    to_ = widgets;
    // The panel may also come by the menu of panels, or with the arrangement of the last time.
    connect(to_.docks->dockOf(panel_), &QDockWidget::visibilityChanged, this, [this](bool visible) {
        if (visible && !read_) read();
    });
}

void LessonController::show() {
    QDockWidget* dock = to_.docks->dockOf(panel_);
    if (QAction* shown = dock->toggleViewAction(); !shown->isChecked()) shown->trigger();
    dock->raise();
    if (!read_) read();
    if (QWidget* first = focusIn(panel_)) first->setFocus(Qt::OtherFocusReason);
}

void LessonController::openFile(const QString& file) {
    const std::filesystem::path path = file.toStdString();
    if (std::ranges::find(opened_, path) == opened_.end()) opened_.push_back(path);
    read(file);
}

void LessonController::read(const QString& opened) {
    read_ = true;
    std::error_code ignored;
    const bool folder = std::filesystem::is_directory(own_, ignored);
    files_.runNewest([table = &state_.table, own = folder ? own_ : std::filesystem::path(),
                      files = opened_] { return readShelf(*table, own, files); },
                     [this, opened](const LessonShelf& shelf) { takeShelf(shelf, opened); },
                     [this, opened](const Failure& failure) {
                         // Asked for again when the panel is shown next.
                         read_ = false;
                         std::erase(opened_, std::filesystem::path(opened.toStdString()));
                         to_.messages->showLatest(MessageBar::Kind::Error, kLessonTopic, failure.message, failure.hint);
                     });
}

void LessonController::takeShelf(const LessonShelf& shelf, const QString& opened) {
    book_.setLessons(shelf.lessons);
    for (std::size_t i = 0; i < shelf.lessons.size(); ++i)
        if (!opened.isEmpty() && shelf.lessons[i].file == std::filesystem::path(opened.toStdString()))
            book_.open(static_cast<int>(i));
    if (shelf.faults.empty()) return to_.messages->withdraw(kLessonTopic), void();
    // A file with a fault is asked for again once it is mended.
    if (!opened.isEmpty()) std::erase(opened_, std::filesystem::path(opened.toStdString()));
    auto fault = std::ranges::find_if(shelf.faults, [&](const std::string& each) {
        return !opened.isEmpty() && each.find(opened.toStdString()) != std::string::npos;
    });
    if (fault == shelf.faults.end()) fault = shelf.faults.begin();
    to_.messages->showLatest(MessageBar::Kind::Note, kLessonTopic, QString::fromStdString(*fault),
                             tr("“palimpsest-cli lesson check” names every fault of a lesson."));
}

void LessonController::askForLesson() {
    std::error_code ignored;
    const QString folder =
        std::filesystem::is_directory(own_, ignored) ? QString::fromStdString(own_.string()) : QString();
    auto* dialog = new QFileDialog(window_, tr("Open lesson"), folder, tr("Lessons (*.toml)"));
    dialog->setObjectName("openLessonDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &LessonController::openFile);
    dialog->show();
}

void LessonController::setUp() {
    const LessonStep* step = book_.shownStep();
    if (!step || !step->experiment) return;
    // As a preset comes: one step of Undo, whatever was in the form.
    state_.controller.draft()->replace(*step->experiment,
                                       tr("experiment of %1").arg(QString::fromStdString(book_.lesson()->title)));
    state_.saved.keep({}, *step->experiment);
    set_up_.insert(stepKey());
    Q_EMIT figuresNeeded();
    Q_EMIT setUpDone();
    // Runs of the lesson stay, for later steps compare with them.
    state_.figures.cursor.pin(std::nullopt);
    const ShelvedLesson& open = book_.lessons()[static_cast<std::size_t>(book_.current())];
    const bool left =
        !state_.figures.runs.leaveFigures(runs_.value(QString::fromStdString(open.file.string()))).empty();
    to_.messages->showPassing(kLessonTopic, tr("The form holds this experiment."),
                              left ? tr("Start begins it; Undo brings back what was in the form. The runs shown before "
                                        "stay in the list; a click on a dot there shows one again.")
                                   : tr("Start begins it; Undo brings back what was there."));
}

void LessonController::onStarted(const RunStarted& event) {
    if (book_.current() < 0 || event.replayed) return;
    const ShelvedLesson& open = book_.lessons()[static_cast<std::size_t>(book_.current())];
    QStringList& runs = runs_[QString::fromStdString(open.file.string())];
    const QString id = RunSet::idOf(event.folder, event.run);
    if (!runs.contains(id)) runs.append(id);
    judging_.ask();
}

void LessonController::judge() {
    if (!book_.waits()) return;
    const ShelvedLesson& open = book_.lessons()[static_cast<std::size_t>(book_.current())];
    book_.judge(lessonFacts(state_.figures.runs, runs_.value(QString::fromStdString(open.file.string())),
                            state_.figures.guesses));
}

QString LessonController::stepKey() const {
    const ShelvedLesson& open = book_.lessons()[static_cast<std::size_t>(book_.current())];
    return QString::fromStdString(open.file.string()) + '\t' + QString::number(book_.step());
}

void LessonController::showPlace(const QString& place) {
    const LessonStep* step = book_.shownStep();
    if (step && step->experiment && !set_up_.contains(stepKey()) && !book_.met(book_.current(), book_.step())) {
        if (auto* first = panel_->findChild<QPushButton*>("lessonSetUp")) pointAtWidget(first);
        return to_.messages->showNews(kLessonTopic, tr("First press “Set up this experiment”."),
                                      tr("The form holds another one; then “Show me” leads on."));
    }
    if (!point(place))
        to_.messages->showNews(kLessonTopic, tr("There is nothing to show at the moment."),
                               tr("It comes with a run that has it."));
}

bool LessonController::point(const QString& place) {
    if (state_.table.find(place.toStdString())) {
        // Idle options are shown, too: their row says why they change nothing.
        to_.options->go(place);
        QTimer::singleShot(0, this, [this, place] {
            for (QWidget* editor : window_->findChildren<QWidget*>("optionEditor." + place))
                if (editor->isVisible()) return PointFrame::show(editor);
        });
        return true;
    }
    if (pointAtCommand(place)) return true;
    for (QWidget* widget : window_->findChildren<QWidget*>(place))
        if (pointAtWidget(widget)) return true;
    return false;
}

bool LessonController::pointAtCommand(const QString& name) {
    if (const QString button = buttonOf(name); !button.isEmpty()) {
        auto* widget = window_->findChild<QWidget*>(button);
        if (name == QLatin1String("forkHere")) Q_EMIT figuresNeeded();
        return widget && pointAtWidget(widget);
    }
    const auto entry = std::ranges::find_if(
        to_.actions->entries(), [&](const ActionBook::Entry& each) { return each.action->objectName() == name; });
    if (entry == to_.actions->entries().end()) return false;
    if (name.startsWith(QLatin1String("curvesPage"))) {
        entry->action->trigger();
        return pointAtWidget(to_.curves);
    }
    QMenu* menu = menuOf(to_.menus->actions(), entry->action);
    if (!menu) return false;
    openMenu(menu, entry->action);
    return true;
}

/// Beside the lesson, whose text goes on to be read.
void LessonController::openMenu(QMenu* menu, QAction* action) {
    const QRect title = to_.menus->actionGeometry(menu->menuAction());
    QRect place(to_.menus->mapToGlobal(title.bottomLeft()), menu->sizeHint());
    const QRect lesson(panel_->mapToGlobal(QPoint()), panel_->size());
    if (panel_->isVisible() && place.intersects(lesson)) {
        const QRect screen = window_->screen()->availableGeometry();
        const int left = lesson.left() - kBesideLesson - place.width(), right = lesson.right() + kBesideLesson;
        if (left >= screen.left())
            place.moveLeft(left);
        else if (right + place.width() <= screen.right())
            place.moveLeft(right);
    }
    PointFrame::show(to_.menus, title);
    menu->popup(place.topLeft());
    menu->setActiveAction(action);
}

bool LessonController::pointAtWidget(QWidget* widget) {
    if (to_.curves == widget || to_.curves->isAncestorOf(widget)) {
        Q_EMIT figuresNeeded();
        if (widget != to_.curves && !widget->isVisible()) to_.curves->showPage(CurvesView::kAccuracy);
    } else if (QDockWidget* dock = to_.docks->dockOf(widget)) {
        if (QAction* shown = dock->toggleViewAction(); !shown->isChecked()) shown->trigger();
        dock->raise();
    }
    if (!widget->isVisible()) return false;
    for (QWidget* around = widget->parentWidget(); around; around = around->parentWidget())
        if (auto* scroll = qobject_cast<QScrollArea*>(around)) scroll->ensureWidgetVisible(widget);
    PointFrame::show(widget);
    if (QWidget* focused = focusIn(widget)) focused->setFocus(Qt::OtherFocusReason);
    return true;
}

}  // namespace palimpsest
