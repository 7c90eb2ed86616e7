// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/record/talk_caption.h"
#include "ui/state/throttle.h"
#include "ui/style/theme.h"

class QAction;
class QKeyEvent;
class QStackedWidget;
class QWidget;

namespace palimpsest {

class CurvesView;
class LiveChangeController;
class MessageBar;
class PlayerController;
class SpeakerNotes;
class Spotlight;
class StageBar;
class StageCurtain;
class StageStrip;
class TalkBook;
class TalkRuns;
class ViewController;
class WindowDocks;
struct RunStarted;
struct WindowState;

/// The stage: figures on the whole screen for an audience, and keys, also those of a clicker, that walk through the
/// scenes of a talk, or without one through what the selected run measured. Leaving brings the window back as it was.
class StageController : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QWidget* window;
        QWidget* centre;           ///< of the window: top bar, lines over the figures, panels
        QStackedWidget* pictures;  ///< what stands in the middle: figures, or the welcome page
        WindowDocks* docks;
        CurvesView* curves;
        MessageBar* messages;
        ViewController* view;
        PlayerController* player;
        LiveChangeController* live;
        QAction* stage;  ///< the command, whose keys leave the stage, too
    };
    StageController(WindowState& state, TalkBook* book, TalkRuns* runs, const Parts& parts);
    ~StageController() override;

    bool on() const { return on_; }
    /// `scene`: from 0; of a talk that is open.
    void enter(int scene = 0);
    void leave();
    /// The scene that is shown, from 0; -1: none.
    int scene() const { return on_ ? scene_ : -1; }
    /// The one that was shown last, also once the stage is left.
    int lastScene() const { return scene_; }
    /// A scene is still being put on: its replay, or the one before, is on its way.
    bool changing() const { return waiting_; }
    Spotlight* spotlight() const { return spotlight_; }
    StageBar* bar() const { return bar_; }
    /// Which keys there are, and the speaker's note.
    StageStrip* hint() const { return hint_; }
    StageStrip* note() const { return note_; }

    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void changed(bool on);

private:
    /// All that leave() brings back.
    struct Kept {
        Qt::WindowStates window;
        QByteArray arrangement;
        Appearance appearance = Appearance::System;
        int page = 0;
        QWidget* picture = nullptr;
        std::optional<std::int64_t> moment;
        std::vector<std::pair<QString, bool>> runs;  ///< visible ones, the selected last, and whether the user chose it
        int speed = 1;
        QPointer<QWidget> focus;
    };
    void keep();
    void clearStage();
    void startAtFirst();
    void bringBack();
    /// Once more, when all panels have their other least size, and the window its own.
    void arrangeAgain();
    void showRuns(const std::vector<std::pair<QString, bool>>& runs);
    void hidePieces();
    void hideSmallNews();

    bool press(const QKeyEvent& key);
    void typed(int digit);
    void goTyped();
    void step(int by);
    void stepMoment(int by);
    /// Why a key changes nothing, for as long as it takes to read.
    void tell(const QString& sentence);
    void switchValues();
    void turnPage(int by);
    /// On a second screen, else over the figures for as long as it takes to read.
    void showNote();
    void refreshNotes();
    void showValues(bool shown);
    QString keysText() const;
    void show(int scene);
    void putOn();
    void play(const TalkScene& scene, const QString& run);
    void begin();
    void onStarted(const RunStarted& event);
    std::optional<std::int64_t> imagesAt(const TalkMoment& moment, const QString& run) const;
    QString idOf(const std::string& run) const;
    void refreshBar();
    void liftStrips();
    QString captionOf(int scene) const;
    void point(std::optional<QPoint> place);

    WindowState& state_;
    TalkBook* book_;
    TalkRuns* runs_;
    const Parts parts_;
    StageBar* bar_;
    Spotlight* spotlight_;
    StageCurtain* curtain_;
    StageStrip *hint_, *note_;
    QPointer<SpeakerNotes> notes_;  ///< on a second screen
    bool on_ = false, waiting_ = false, playing_ = false, values_ = false;
    int scene_ = -1;
    QString digits_;
    QString notice_;
    std::string armed_;                    ///< run that the next key begins
    std::string starting_;                 ///< run that is on its way
    std::map<std::string, QString> made_;  ///< ids of runs that scenes have begun
    mutable std::map<std::string, TalkNumbers> numbers_;
    Kept kept_;
    QTimer leaving_{this};  ///< the window takes its own size again
    Throttle throttle_;
};

}  // namespace palimpsest
