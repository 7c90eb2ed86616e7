// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSet>
#include <QStringList>
#include <filesystem>
#include <functional>
#include <vector>

#include "ui/lessons/lesson_book.h"
#include "ui/state/background.h"
#include "ui/state/throttle.h"

class QAction;
class QMenu;
class QMenuBar;

namespace palimpsest {

class ActionBook;
class CurvesView;
class LessonPanel;
class MessageBar;
class OptionFinder;
class WindowDocks;
struct RunStarted;
struct WindowState;

/// Lessons in the window: reads them, judges their goals by the runs that begin while a lesson is open, puts
/// experiments into the form, and leads to what a step is about. It never starts or stops a run.
class LessonController : public QObject {
    Q_OBJECT
public:
    /// Parts of the window that a lesson may lead to.
    struct Widgets {
        WindowDocks* docks;
        CurvesView* curves;
        OptionFinder* options;
        const ActionBook* actions;
        QMenuBar* menus;
        MessageBar* messages;
    };

    /// `own`: folder of the user's lessons, which may be absent. The panel belongs to the docks as soon as it is
    /// placed.
    LessonController(WindowState& state, std::filesystem::path own, QWidget* window);

    LessonPanel* panel() { return panel_; }
    LessonBook* book() { return &book_; }
    /// Once the window is whole.
    void connectTo(const Widgets& widgets);
    /// Shows the panel under the keyboard; the first time lessons are read.
    void show();
    /// A lesson of a file joins the list and is opened.
    void openFile(const QString& file);
    /// Shows what a step points at: its panel, its page, and a frame around it. False: it is not there.
    bool point(const QString& place);
    /// The same for the step that is open, whose experiment has to be in the form first: else what puts it there is
    /// shown.
    void showPlace(const QString& place);

Q_SIGNALS:
    /// The figures have to be in sight.
    void figuresNeeded();
    void pageAsked(const QString& page, const QString& section);
    /// The form holds the experiment of a step.
    void setUpDone();

private:
    void read(const QString& opened = {});
    void takeShelf(const LessonShelf& shelf, const QString& opened);
    void askForLesson();
    void setUp();
    void onStarted(const RunStarted& event);
    void judge();
    bool pointAtCommand(const QString& name);
    bool pointAtWidget(QWidget* widget);
    void openMenu(QMenu* menu, QAction* action);
    /// The step that is open, for good.
    QString stepKey() const;

    WindowState& state_;
    const std::filesystem::path own_;
    QWidget* window_;
    LessonBook book_;
    LessonPanel* panel_;
    Widgets to_{};
    std::vector<std::filesystem::path> opened_;  ///< single files
    QHash<QString, QStringList> runs_;           ///< that began while a lesson was open, by the file of the lesson
    QSet<QString> set_up_;                       ///< steps whose experiment was put into the form
    bool read_ = false;
    Throttle judging_;
    Background files_;
};

}  // namespace palimpsest
