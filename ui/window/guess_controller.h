// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QObject>
#include <memory>

#include "ui/state/background.h"
#include "ui/state/curve_options.h"

class QAction;
class QPushButton;
class QToolButton;

namespace palimpsest {

class ExperimentPanel;
class FileDialogs;
class FittingLabel;
class MessageBar;
struct PlannedStream;
struct RunEnded;
struct RunStarted;
struct WindowState;

/// One line over the figures while a guess is drawn: what to do, and what to do then.
class GuessStrip : public QFrame {
    Q_OBJECT
public:
    explicit GuessStrip(QWidget* parent = nullptr);

    /// `drawn`: there is something to clear. `undo`: there is a stroke to take back. `ready`: a run can begin.
    /// `lanes`: two are compared, of which the first is guessed.
    void setState(bool drawn, bool undo, bool ready, bool lanes);

Q_SIGNALS:
    void startAsked();
    void undoAsked();
    void clearAsked();
    void endAsked();

private:
    FittingLabel* words_;
    QPushButton* start_;
    QToolButton *undo_, *clear_;
};

/// Guesses in the window: one is drawn before a run, goes with it into its folder, and is compared with what came.
class GuessController : public QObject {
    Q_OBJECT
public:
    /// `guess` turns drawing on and off.
    GuessController(WindowState& state, ExperimentPanel* panel, MessageBar* messages, QAction* guess, QWidget* window);

    /// For the window, over the figures.
    GuessStrip* strip() { return strip_; }
    /// Asks for a file and writes all guesses of the runs in the list. `folder`: where the dialog begins.
    void askWhereToExport(const QString& folder);

Q_SIGNALS:
    /// The figures of accuracy and retention have to be in sight.
    void figuresNeeded();

private:
    void setStream(const std::shared_ptr<const PlannedStream>& stream);
    void refresh();
    void begin(bool drawing);
    void onStarted(const RunStarted& event);
    void onEnded(const RunEnded& event);
    /// Reads the guess of the selected run, once.
    void readSelected();
    void exportTo(const QString& file);

    WindowState& state_;
    MessageBar* messages_;
    QAction* guess_;
    QWidget* window_;
    GuessStrip* strip_;
    CurveOptions::Values former_;  ///< ways to draw, before a guess was drawn over plain axes
    QString run_;                  ///< that begins with the last guess; empty: there is none
    Background exporting_, files_{Background::Waiting::Finished};
};

}  // namespace palimpsest
