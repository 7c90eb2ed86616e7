// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "ui/state/engine_text.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace palimpsest {

/// Adds seeds to a sweep, behind those that it has: its runs keep their folders (keepRunFolders()). Changes the grid in
/// the sweep's folder, and the one beside it if it is the same; what else is written there stays. `seeds`: see
/// parsedSeeds(). Only for a sweep in a folder of this user's on which nobody works at this moment, and that was not
/// given to Slurm. Throws Error(Input) with a sentence for every other, for seeds that it has already, and for too many
/// runs.
void addSeeds(const OptionTable& table, const std::filesystem::path& folder, const std::string& seeds);

/// Asks for seeds that a sweep is to have besides its own. Stays open while they are added, and where that fails, with
/// the sentence that says why.
class MoreSeedsDialog : public QDialog {
    Q_OBJECT
public:
    /// `table`: for the largest seed.
    explicit MoreSeedsDialog(const OptionTable& table, QWidget* parent = nullptr);

    /// Shows itself for a sweep of so many rows with these seeds.
    void ask(const QString& title, std::int64_t rows, const std::vector<std::int64_t>& seeds);
    void fail(const Failure& failure);
    /// They were added.
    void finish();

Q_SIGNALS:
    void chosen(const QString& seeds);

private:
    void refresh();
    void choose();
    void setBusy(bool busy);

    const std::int64_t most_;
    std::int64_t rows_ = 0;
    std::vector<std::int64_t> known_;
    bool ready_ = false, busy_ = false;
    QLabel *title_, *note_;
    QLineEdit* field_;
    QPushButton* add_;
};

}  // namespace palimpsest
