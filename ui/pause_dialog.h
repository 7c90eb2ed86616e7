// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <cstdint>

#include "engine/run/pause_condition.h"

class QDoubleSpinBox;
class QSpinBox;

namespace palimpsest {

/// Asks for the session, and the accuracy below which it counts as forgotten.
class PauseDialog : public QDialog {
    Q_OBJECT
public:
    /// `now`: what the run was told already.
    PauseDialog(std::int64_t sessions, const PauseCondition& now, QWidget* parent = nullptr);

Q_SIGNALS:
    /// `session` from 0, `below` from 0 to 1.
    void chosen(std::int64_t session, double below);
    void takenBack();

private:
    QSpinBox* session_;
    QDoubleSpinBox* below_;
};

}  // namespace palimpsest
