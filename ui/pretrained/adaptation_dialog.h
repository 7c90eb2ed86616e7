// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/adaptation_status.h"

namespace palimpsest {

class AdaptationActions;
class AdaptationKindBox;
class AdaptationLog;
class AdaptationPlaceBox;
class AdaptationPlot;
class ExperimentDraft;
class MessageBar;
class OptionForm;
class UnwrittenPrompts;

/// The initial session: its settings, where the prompts go, the loss while they learn, and what can be done with them
/// then. Not modal; an adaptation goes on when it is closed.
class AdaptationDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder`: where prompts are written unless a person says otherwise.
    AdaptationDialog(AdaptationJob* controller, ExperimentDraft* draft, const QString& folder,
                     QWidget* parent = nullptr);

    void showDialog();
    /// The chosen file of prompts: an absolute path with its ending. A fresh start takes a free name beside it where
    /// there is something already.
    QString file() const;
    /// How prompts learn: "naive", "sam" or "fam".
    QString kind() const;
    AdaptationPlot* plot() const { return plot_; }
    MessageBar* messages() const { return messages_; }

Q_SIGNALS:
    /// The experiment shall begin with these prompts.
    void useAsked(const QString& file);
    /// The figure of the loss shall be written to a file.
    void exportAsked();

private:
    QWidget* makeSettings();
    QWidget* makeForm();
    QWidget* makeProgress();
    void connectController();
    void connectParts();
    void tellPlace(const QString& file);
    /// The kind that the experiment names, until a person chooses one.
    void followDraft();
    void showUsualFile();
    /// Asks first where that loses prompts that could not be written.
    void begin(bool resume);
    void start(bool resume);
    /// Starts, goes on, pauses or resumes: whichever is the next sensible action.
    void primary();
    void showStarted(const AdaptationStarted& event);
    void showEnded(const AdaptationEnded& event);
    /// Of the file system, once for all that is shown.
    void look();
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
