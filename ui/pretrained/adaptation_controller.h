// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QToolButton>

#include "engine/run/adaptation.h"

namespace palimpsest {

class AdaptationDialog;
class AdaptationJob;
class AdaptationLog;
class MessageBar;
class OptionForm;
class RunController;

/// "Initial session 43 %": there while prompts learn, whatever is open.
class AdaptationNote : public QToolButton {
    Q_OBJECT
public:
    explicit AdaptationNote(AdaptationJob* controller, QWidget* parent = nullptr);

private:
    void refresh();

    AdaptationJob* controller_;
};

/// All that the window does with the initial session: the dialog, the button beside the prompts, the note in the top
/// bar, and the way of learned prompts into the experiment.
class AdaptationController : public QObject {
    Q_OBJECT
public:
    /// `function` may be null: then there is nothing to start, and no button. `folder`: where prompts are written
    /// unless the user says otherwise.
    AdaptationController(AdaptFunction function, RunController* runs, OptionForm* form, MessageBar* messages,
                         const QString& folder, QWidget* window);
    ~AdaptationController() override;

    AdaptationJob* controller() const { return controller_; }
    /// Button for the top bar.
    AdaptationNote* note() const { return note_; }
    bool available() const;
    bool busy() const;

public Q_SLOTS:
    void showDialog();
    /// Later news appears in the window; an adaptation goes on.
    void closeDialog();

Q_SIGNALS:
    /// The figure of the loss shall be written to a file.
    void exportAsked(const palimpsest::AdaptationLog* log);

private:
    void addButton(OptionForm* form);
    /// Lets the experiment begin with these prompts, as one step that can be undone.
    void use(const QString& file);
    bool dialogShown() const;
    void reportEnd();

    RunController* runs_;
    MessageBar* messages_;
    const QString folder_;
    QWidget* window_;
    AdaptationJob* controller_;
    AdaptationNote* note_;
    AdaptationDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
