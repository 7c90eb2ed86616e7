// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/config/option_table.h"
#include "ui/queue/sweep_models.h"
#include "ui/state/background.h"
#include "ui/state/remote_runs.h"

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTreeView;

namespace palimpsest {

class MoreSeedsDialog;

/// A sweep's folder as a table that follows its runs, whoever works on them: what the difference between its rows is
/// worth so far above, every run with its curve and its state below. The folder is read on another thread; where it
/// is a copy, somebody else keeps it up to date, and says how that goes.
class SweepPage : public QDialog {
    Q_OBJECT
public:
    static constexpr int kLookMs = 2000;       ///< between two looks at a folder
    static constexpr std::size_t kPart = 100;  ///< runs that are read before what is known is shown

    /// The table must outlive the page.
    explicit SweepPage(const OptionTable* table, QWidget* parent = nullptr);
    ~SweepPage() override;

    /// Shows another folder.
    void open(const std::filesystem::path& folder);
    const WatchedSweepPtr& sweep() const { return sweep_; }
    /// As it was given to open(), absolute; empty before.
    const QString& folder() const { return folder_; }
    /// How it stands with the following of the folder, where it is a copy; absent: it is not followed.
    void setStanding(const std::optional<RemoteRuns::Standing>& standing);
    /// The queue has the sweep, and has not ended it.
    void setQueued(bool queued);
    /// Work on the cluster that was asked for goes on, or no longer.
    void setBusy(bool busy);

Q_SIGNALS:
    /// Something new is shown.
    void refreshed();
    void runAsked(const QString& folder);
    /// The user wants what is missing of the sweep in the queue.
    /// `seconds`: that it takes as its runs have gone so far; 0: not known.
    void restAsked(const std::filesystem::path& grid, const std::filesystem::path& folder, const QString& name,
                   double seconds);
    /// The folder that is shown is another.
    void opened(const QString& folder);
    /// The user wants the jobs of the sweep cancelled, and has said so twice.
    void cancelAsked(const QString& folder);
    void checkpointsAsked(const QString& folder);
    /// A copy that nobody follows is to be followed again.
    void followAsked(const QString& folder);

protected:
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void look();
    /// Numbers and seeds are seen whole, whatever their length; once for each folder, so that the user has the last
    /// say.
    void fitNumbers();
    void take(const WatchedSweepPtr& sweep);
    /// Shows the first number that a finished sweep has, until the user chooses one.
    void beginWithMeasured();
    void refresh();
    void refreshCluster();
    void askForRun();
    void askToCancel();
    /// `timed`: with the estimate of what is left.
    void queueRest(bool timed);
    void askForSeeds();
    void addMoreSeeds(const QString& seeds);

    const OptionTable* const table_;
    std::shared_ptr<report::SweepWatch> watch_;  ///< belongs to the work on the other thread
    WatchedSweepPtr sweep_;
    bool looking_ = false;
    QString folder_;
    std::optional<RemoteRuns::Standing> standing_;
    bool busy_ = false, queued_ = false, fitted_ = false, metric_chosen_ = false;
    QLabel *title_, *status_, *note_, *cluster_;
    QComboBox* metric_;
    QProgressBar* bar_;
    SweepLinesModel* lines_;
    SweepRunsModel* runs_;
    QTreeView *lines_view_, *runs_view_;
    QPushButton *open_, *seeds_, *rest_, *cancel_, *bring_, *follow_;
    QTimer timer_;
    MoreSeedsDialog* more_seeds_ = nullptr;  ///< made when it is first needed
    Background background_, work_;
};

}  // namespace palimpsest
