// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "ui/adaptation_controller.h"
#include "ui/pacer.h"

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
    /// Where the next prompts are written; always with its ending.
    QString file() const;
    AdaptationPlot* plot() const { return plot_; }

Q_SIGNALS:
    /// The experiment shall begin with these prompts.
    void useAsked(const QString& file);

private:
    QWidget* makeSettings();
    QWidget* makePlace();
    QWidget* makeProgress();
    QLayout* makeButtons();
    void connectController();
    void askForFile();
    void showUsualFile();
    void begin(bool resume);
    /// Starts, goes on, pauses or resumes: whichever is the next sensible action.
    void primary();
    void showStarted(const AdaptationStarted& event);
    void showEnded(const AdaptationEnded& event);
    void refresh();
    void refreshButtons();
    void refreshProgress();
    void refreshPlace();
    /// "fam", "none"; empty: the option table leaves no choice.
    QString kind() const;
    /// One that was stopped can go on from beside the chosen file.
    bool waiting() const;
    QString outcome() const;

    AdaptationController* controller_;
    ExperimentDraft* draft_;
    const QString folder_;
    AdaptationLog* log_;
    MessageBar* messages_;
    OptionForm* form_ = nullptr;
    QLineEdit* place_ = nullptr;
    QWidget* settings_ = nullptr;
    QLabel* place_note_ = nullptr;
    AdaptationPlot* plot_;
    QLabel *status_ = nullptr, *facts_ = nullptr, *pace_ = nullptr;
    QProgressBar* bar_ = nullptr;
    QPushButton *primary_ = nullptr, *anew_ = nullptr, *stop_ = nullptr, *use_ = nullptr;
    bool own_place_ = false;  ///< a person chose it
    Pacer pacer_;
};

/// "12.3 steps/s · 3 min 20 s left"; what is not known is left out.
QString paceText(const AdaptationProgress& progress, std::int64_t first, std::int64_t total);

}  // namespace palimpsest
