// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

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

    /// Shows itself for this experiment; rows and seeds of the last time stay.
    void ask(const Experiment& experiment);
    /// Asks for the Slurm that gets the grid; whoever answers submitChosen() tells it what became of that.
    SubmitDialog* submitDialog() const { return submission_; }
    /// The grid was submitted.
    void submitted();

Q_SIGNALS:
    /// The grid is written; the sweep is to be queued.
    void chosen(const std::filesystem::path& grid, const std::filesystem::path& folder, const QString& name);
    /// The grid is written; the sweep is for a Slurm.
    void submitChosen(const ClusterRequest& request);

private:
    struct Row;
    SweepDraft draft() const;
    void addRow(const QString& key = {});
    /// Shows in an empty field of values what the option can take.
    void suggest(const Row& row) const;
    void refresh();
    std::filesystem::path folder() const;
    /// Writes the grid beside the folder of the sweep, and calls one of these.
    void writeGrid(const std::function<void(const std::filesystem::path& grid)>& written,
                   const std::function<void(const Failure&)>& refused);
    void submit();
    void measure();
    void stopMeasuring();
    void showMeasured(int code, const std::string& output, std::optional<std::int64_t> room);
    void showEstimate(const SweepEstimate& estimate, std::optional<std::int64_t> room);
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
    bool folder_typed_ = false, writing_ = false;
    /// Asks the measurement to stop, whose program belongs to the thread that started it. Absent: there is none.
    std::optional<std::stop_source> measurement_;
    Background background_, measuring_;
};

}  // namespace palimpsest
