// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFrame>
#include <QList>
#include <QString>
#include <functional>
#include <memory>
#include <optional>

#include "engine/run/trust.h"
#include "ui/state/engine_text.h"

class QAction;
class QCheckBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace palimpsest {

class RunController;
class RunLibrary;
class RunsPanel;
class TrustJob;

/// One check on the page: its question, and once it is judged its colour, reason and evidence. A screen reader hears it
/// as one piece.
class TrustCard : public QFrame {
    Q_OBJECT
public:
    explicit TrustCard(const TrustCheckInfo& check, QWidget* parent = nullptr);

    QString check() const { return check_; }
    /// As before it was carried out.
    void reset();
    /// A word in place of a colour, while it waits; nothing happens to a card that is judged.
    void setWaiting(const QString& word);
    void setVerdict(const TrustVerdict& verdict);

protected:
    void changeEvent(QEvent* event) override;

private:
    void paintWord();
    void describe();
    void setEvidence(const std::vector<TrustEvidence>& evidence);

    const QString check_, title_, question_;
    QLabel *word_, *sentence_, *cut_;
    QWidget* evidence_;
    QGridLayout* grid_;
    std::optional<TrustColour> colour_;
};

/// "Can this be trusted?": a page of checks that grows check by check.
class TrustDialog : public QDialog {
    Q_OBJECT
public:
    explicit TrustDialog(TrustJob* job, QWidget* parent = nullptr);

    /// The run or experiment that Start checks; `name` as the user knows it. While a round goes on, it stays with what
    /// that looks at.
    void setSubject(const TrustRequest& request, const QString& name);

private:
    void start();
    void refresh();
    TrustCard* card(const QString& check) const;

    TrustJob* job_;
    TrustRequest request_;
    QLabel *subject_, *status_;
    QCheckBox* quick_;
    QPushButton *start_, *stop_;
    QList<TrustCard*> cards_;
    QString present_;  ///< the check that goes on: "2 of 7: Order of the test images"
};

/// Opens the page for a run of the list, and for the experiment that is being edited.
class TrustController : public QObject {
    Q_OBJECT
public:
    /// `function` may be null: then the action is disabled. `hindrance`: see TrustJob.
    TrustController(TrustFunction function, RunController* controller, RunLibrary* library, RunsPanel* runs,
                    QAction* action, std::function<std::optional<Failure>()> hindrance, QWidget* window);
    ~TrustController() override;

    TrustJob* job() const { return job_.get(); }
    void showExperiment();
    /// By the run's id.
    void showRun(const QString& run);

private:
    void show(const TrustRequest& request, const QString& name);

    RunController* controller_;
    RunLibrary* library_;
    QWidget* window_;
    const std::unique_ptr<TrustJob> job_;
    TrustDialog* dialog_ = nullptr;
};

}  // namespace palimpsest
