// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <cstdint>

#include "engine/run/pause_condition.h"

class QAbstractSpinBox;
class QLabel;

namespace palimpsest {

class IntegerField;
class NumberEntry;
class RealField;

/// Asks for the session, and the accuracy below which it counts as forgotten.
class PauseDialog : public QDialog {
    Q_OBJECT
public:
    /// `now`: the present condition of the run.
    PauseDialog(std::int64_t sessions, const PauseCondition& now, QWidget* parent = nullptr);

Q_SIGNALS:
    /// `session` from 0, `below` from 0 to 1.
    void chosen(std::int64_t session, double below);
    void withdrawn();

private:
    /// The refusal of a field stands below it.
    void listenTo(QAbstractSpinBox* box, NumberEntry& entry);
    void choose();

    IntegerField* session_;
    RealField* below_;
    QLabel* note_;
    bool refused_ = false;  ///< something was, and nobody has answered since
};

}  // namespace palimpsest
