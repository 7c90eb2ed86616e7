// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <deque>
#include <functional>
#include <string>

#include "engine/record/talk.h"
#include "ui/state/background.h"
#include "ui/state/talk_book.h"
#include "ui/state/talk_runs.h"

class QWidget;

namespace palimpsest {

class CurvesView;
class LiveChangeController;
class MessageBar;
class TalkDialog;
struct RunEnded;
struct WindowState;

/// The talk of the window: opens and saves it, adds what is in front as a scene, and makes the runs that it needs.
class TalkController : public QObject {
    Q_OBJECT
public:
    TalkController(WindowState& state, CurvesView* curves, MessageBar* messages, LiveChangeController* live,
                   QWidget* window);

    TalkBook* book() { return &book_; }
    TalkRuns* runs() { return &runs_; }
    /// Null while it is closed.
    TalkDialog* dialog() const;
    /// `folder`: where questions for a file begin.
    void showDialog(const QString& folder);
    void open(const QString& file);
    /// No talk is open then. Asks first where it was changed and is not saved.
    void close();
    /// The list would stand before the stage, and goes until it is left.
    void stageEntered();
    /// The list comes back where it was seen before the stage, at this scene.
    void stageLeft(int scene);
    /// What is in front now becomes the last scene.
    void addMoment();
    void save(const QString& file);
    /// Looks for the talk's runs; those that come with the program are brought into the list.
    void findRuns();
    /// Makes the runs that are missing, one after the other.
    void prepare();
    bool preparing() const { return !queue_.empty() || !making_.empty(); }

Q_SIGNALS:
    /// From 0.
    void stageAsked(int scene);

private:
    void askForFile();
    /// At once, or once the user gives up what was changed and is not saved; `verb`: the button's words.
    void unlessUnsaved(const QString& verb, const std::function<void()>& go);
    void read(const QString& file);
    void closeNow();
    void askWhereToSave();
    void makeNext();
    void onEnded(const RunEnded& event);
    void refreshNeeds();
    void fillCaptions();
    /// Names of the needed runs that are missing and can be made here.
    std::deque<std::string> missing() const;
    QString talkFolder() const;

    WindowState& state_;
    CurvesView* curves_;
    MessageBar* messages_;
    LiveChangeController* live_;
    QWidget* window_;
    TalkBook book_;
    TalkRuns runs_;
    QPointer<TalkDialog> dialog_;
    QString folder_;
    std::deque<std::string> queue_;  ///< of Prepare
    std::string making_;             ///< one of them, on its way
    bool from_list_ = false;         ///< the stage was entered from the list
    bool prepare_asked_ = false;     ///< as soon as it was looked for the runs
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
