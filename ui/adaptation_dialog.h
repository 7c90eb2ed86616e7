// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/adaptation_controller.h"
#include "ui/pacer.h"

class QComboBox;
class QFileDialog;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace palimpsest {

class AdaptationLog;
class AdaptationPlot;
class ExperimentDraft;
class MessageBar;
class OptionForm;

/// The initial session: its settings, where the prompts go, the loss while they learn, and what can be done with them
/// then. Not modal; an adaptation goes on when it is closed.
class AdaptationDialog : public QDialog {
    Q_OBJECT
public:
    /// `folder`: where prompts are written unless a person says otherwise.
    AdaptationDialog(AdaptationController* controller, ExperimentDraft* draft, const QString& folder,
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
    QWidget* makeKind();
    QWidget* makePlace();
    QWidget* makeProgress();
    QLayout* makeButtons();
    void connectController();
    void askForFile();
    /// For `file`, to be shown. Nothing is overwritten without being asked for.
    QFileDialog* makeFileDialog(const QString& file);
    /// For prompts that are done but could not be written.
    void offerOtherPlace(const QString& message);
    void askForOtherPlace();
    void tellPlace(const QString& file);
    /// The kind that the experiment names, until a person chooses one.
    void followDraft();
    void showKind();
    void showUsualFile();
    /// Asks first where that loses prompts that could not be written.
    void begin(bool resume);
    void askWhetherToLose(bool resume);
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
    void refreshButtons();
    void refreshProgress();
    void refreshPlace();
    QString outcome() const;

    AdaptationController* controller_;
    ExperimentDraft* draft_;
    const QString folder_;
    AdaptationLog* log_;
    MessageBar* messages_;
    QComboBox* kind_ = nullptr;
    QLabel* kind_note_ = nullptr;
    OptionForm* form_ = nullptr;
    QLineEdit* place_ = nullptr;
    QWidget* settings_ = nullptr;
    QLabel* place_note_ = nullptr;
    AdaptationPlot* plot_;
    QLabel *status_ = nullptr, *facts_ = nullptr, *pace_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton *primary_ = nullptr, *anew_ = nullptr, *stop_ = nullptr, *use_ = nullptr, *keep_ = nullptr;
    bool own_kind_ = false, own_place_ = false;  ///< a person chose it
    QString usual_;         ///< file
    bool waiting_ = false;  ///< one that was stopped can go on from beside the chosen file
    bool there_ = false;    ///< the chosen file is
    QString fresh_;         ///< the file of a fresh start
    QString log_file_;      ///< whose prompts the curve belongs to
    std::int64_t log_first_ = 0;  ///< step before the curve's first
    Pacer pacer_;
};

/// `file` where there is neither prompts nor a state to go on from, else the next of FILE-2, FILE-3 and so on where that
/// is so.
QString freeFile(const QString& file);

/// "12.3 steps/s · 3 min 20 s left"; what is not known is left out.
QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total);

}  // namespace palimpsest
