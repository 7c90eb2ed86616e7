// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QWidget>

#include "engine/run/adaptation.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/prompt_file.h"
#include "ui/state/throttle.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QWidget;

namespace palimpsest {

class AdaptationLog;
class AdaptationPlot;
class ExperimentDraft;
class MessageBar;
class OptionForm;

/// How prompts learn: the three kinds to choose from, and what the chosen one does.
class AdaptationKindBox : public QWidget {
    Q_OBJECT
public:
    explicit AdaptationKindBox(QWidget* parent = nullptr);

    /// "naive", "sam" or "fam".
    QString kind() const;
    /// Selects the kind that an experiment names, until the user chooses one; a name of anything else changes nothing.
    void follow(const QString& named);

Q_SIGNALS:
    void changed();

private:
    void showNote();

    QComboBox* kind_;
    QLabel* note_;
    bool own_ = false;  ///< the user chose it
};

/// Buttons for an initial session and its prompts, as far as each is possible now.
class AdaptationActions : public QWidget {
    Q_OBJECT
public:
    /// State of the chosen place.
    struct Place {
        bool waiting = false;  ///< one that was stopped can go on from there
        bool there = false;    ///< prompts are
        bool in_use = false;   ///< and the experiment begins with them
    };

    explicit AdaptationActions(AdaptationJob* controller, QWidget* parent = nullptr);

    void refresh(const Place& place);
    /// The keyboard goes to the next sensible action.
    void focusPrimary();

Q_SIGNALS:
    /// Starts, goes on, pauses or resumes: whichever is the next sensible action.
    void primaryAsked();
    void anewAsked();
    /// The experiment shall begin with the prompts.
    void useRequested();
    /// Prompts that are not written shall go to another file.
    void keepAsked();
    void closeAsked();

private:
    AdaptationJob* controller_;
    QPushButton *primary_, *anew_, *stop_, *use_, *keep_;
};

/// How far an initial session is, how fast it goes, what it learns on, and in the end what came of it.
class AdaptationStatus : public QWidget {
    Q_OBJECT
public:
    explicit AdaptationStatus(AdaptationJob* controller, QWidget* parent = nullptr);

    /// Steps are followed by themselves; this is for a state that changed.
    void refresh();

private:
    QString outcome() const;

    AdaptationJob* controller_;
    QLabel *status_, *pace_, *facts_;
    QProgressBar* bar_;
    Throttle throttle_;
};

/// "12.3 steps/s · 3 min 20 s left"; what is not known is left out.
QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total);

/// The initial session: its settings, where the prompts go, the loss while they learn, and what can be done with them
/// then. Not modal; an adaptation goes on when it is closed.
class AdaptationDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder`: where prompts are written unless the user says otherwise.
    AdaptationDialog(AdaptationJob* controller, ExperimentDraft* draft, const QString& folder,
                     QWidget* parent = nullptr);

    void showDialog();
    /// The chosen file of prompts: an absolute path with its ending. A fresh start uses a free name beside it where
    /// there is something already.
    QString file() const { return place_->file(); }
    /// How prompts learn: "naive", "sam" or "fam".
    QString kind() const { return kind_->kind(); }
    AdaptationPlot* plot() const { return plot_; }
    MessageBar* messages() const { return messages_; }

Q_SIGNALS:
    /// The experiment shall begin with these prompts.
    void useRequested(const QString& file);
    /// The figure of the loss shall be written to a file.
    void exportAsked();

private:
    QWidget* makeSettings();
    QWidget* makeForm();
    QWidget* makeProgress();
    void connectController();
    void connectParts();
    void reportPlace(const QString& file);
    /// The kind that the experiment names, until the user chooses one.
    void followDraft();
    void showUsualFile();
    /// Asks first where that loses prompts that could not be written.
    void begin(bool resume);
    void start(bool resume);
    /// Starts, goes on, pauses or resumes: whichever is the next sensible action.
    void primary();
    void showStarted(const AdaptationStarted& event);
    void showEnded(const AdaptationEnded& event);
    /// Reads the file system, once for all that is shown.
    void readPlace();
    /// Nothing while it is hidden.
    void refresh();
    void refreshForm();
    void refreshActions();
    void refreshPlace();

    AdaptationJob* controller_;
    ExperimentDraft* draft_;
    const QString folder_;
    AdaptationLog* log_;
    MessageBar* messages_;
    AdaptationPlot* plot_;
    UnwrittenPrompts* unwritten_;
    AdaptationKindBox* kind_;
    AdaptationPlaceBox* place_;
    AdaptationStatus* status_;
    AdaptationActions* actions_;
    OptionForm* form_ = nullptr;
    QWidget* settings_ = nullptr;
    bool waiting_ = false;        ///< one that was stopped can go on from beside the chosen file
    bool there_ = false;          ///< the chosen file is
    QString fresh_;               ///< the file of a fresh start
    QString log_file_;            ///< whose prompts the curve belongs to
    std::int64_t log_first_ = 0;  ///< step before the curve's first
};

}  // namespace palimpsest
