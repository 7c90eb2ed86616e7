// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/sweep/queue_work.h"
#include "engine/sweep/sweep_draft.h"
#include "ui/state/background.h"
#include "ui/state/engine_text.h"
#include "ui/state/remote_service.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace palimpsest {

class SubmitDialog;

/// Puts a grid together: the experiment as it is, options that take several values each, and seeds. Says how many runs
/// that is and, when it is asked, what they take on this machine: `palimpsest-cli sweep --estimate` measures it. The
/// queue gets it, or a Slurm.
class SweepEditor : public QDialog {
    Q_OBJECT
public:
    static constexpr int kMostAxes = 8;

    struct Places {
        std::filesystem::path program;  ///< palimpsest-cli
        std::filesystem::path papers;   ///< where the files of a measurement go
        std::filesystem::path sweeps;   ///< where sweeps go, unless the user says otherwise
    };

    /// The table must outlive it.
    SweepEditor(const OptionTable* table, Places places, QWidget* parent = nullptr);
    /// A measurement that goes on is ended.
    ~SweepEditor() override;

    /// Returns what finds, on another thread, folders of earlier runs as runsThatKeepAlike() does; what they take on
    /// the disk is what others will. Without any, it is computed.
    using EarlierSearch = std::function<std::vector<std::filesystem::path>()>;
    using Earlier = std::function<EarlierSearch(const Experiment&, const std::set<std::string>&)>;
    void setEarlier(Earlier earlier) { earlier_ = std::move(earlier); }

    /// Shows itself for this experiment; rows and seeds of the last time stay, and so do title and folder where the
    /// user typed them for an experiment of the same name.
    void ask(const Experiment& experiment);
    /// Asks for the Slurm that gets the grid; whoever answers submitChosen() tells it what became of that.
    SubmitDialog* submitDialog() const { return submission_; }
    /// The grid was submitted.
    void submitted();

Q_SIGNALS:
    /// The grid is written; the sweep is to be queued.
    /// `seconds`: as it was estimated; 0: it was not.
    void chosen(const std::filesystem::path& grid, const std::filesystem::path& folder, const QString& name,
                double seconds);
    /// The grid is written; the sweep is for a Slurm.
    void submitChosen(const ClusterRequest& request);

private:
    struct Row;
    SweepDraft draft() const;
    void addRow(const QString& key = {});
    /// Shows in an empty field of values what the option can take.
    void suggest(const Row& row) const;
    void refresh();
    /// The folder is named after the title until the user names it.
    void placeFolder();
    /// No option has a value yet.
    bool isUntouched() const;
    /// Of the sweep, absolute.
    std::filesystem::path folder() const;
    /// Writes the grid beside the folder of the sweep, and calls one of these; `fresh`: there was no such file.
    void writeGrid(const std::function<void(const std::filesystem::path& grid, bool fresh)>& written,
                   const std::function<void(const Failure&)>& refused);
    void submit();
    void measure();
    void stopMeasuring();
    struct Measured;
    void showMeasured(const Measured& found);
    void showEstimate(const SweepEstimate& estimate, const Measured& found);
    /// The text as it is before anything was measured.
    void sayNotMeasured();
    void accept() override;
    void done(int result) override;

    const OptionTable* const table_;
    const std::filesystem::path program_, papers_, home_;
    Experiment base_;
    std::optional<SweepGrid> grid_;  ///< absent: what is typed is none
    QList<Row*> rows_;
    QVBoxLayout* axes_;
    QLabel *base_note_, *count_, *estimate_;
    QLineEdit *title_, *seeds_, *folder_;
    QPushButton *add_, *measure_, *submit_, *queue_;
    SubmitDialog* submission_;
    bool title_typed_ = false, folder_typed_ = false, writing_ = false;
    Earlier earlier_;
    std::string measured_grid_;  ///< text of the grid that the estimate is of, or would be
    double seconds_ = 0;         ///< of that estimate; 0: there is none
    /// Asks the measurement to stop, whose program belongs to the thread that started it. Absent: there is none.
    std::optional<std::stop_source> measurement_;
    Background background_, measuring_;
};

}  // namespace palimpsest
