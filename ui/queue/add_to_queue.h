// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <cstdint>
#include <vector>

#include "engine/config/option_table.h"

class QLabel;
class QLineEdit;
class QPushButton;

namespace palimpsest {

/// Asks with which seeds an experiment is queued: "1-5" is five runs.
class AddToQueueDialog : public QDialog {
    Q_OBJECT
public:
    /// `table`: for the largest seed; must outlive the dialog.
    explicit AddToQueueDialog(const OptionTable* table, QWidget* parent = nullptr);

    /// Shows itself for this experiment, with its seed; what was typed stays where it is shown already.
    void ask(const Experiment& experiment);

Q_SIGNALS:
    void chosen(const palimpsest::Experiment& experiment, const std::vector<std::int64_t>& seeds);

private:
    void refresh();
    void accept() override;

    const std::int64_t most_;
    Experiment experiment_;
    std::vector<std::int64_t> seeds_;
    QLabel *name_, *note_;
    QLineEdit* field_;
    QPushButton* add_;
};

/// The largest seed that an experiment may have.
std::int64_t largestSeed(const OptionTable& table);

}  // namespace palimpsest
