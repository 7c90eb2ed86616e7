// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace palimpsest {

/// Asks before the window closes over work in progress, without holding up that work. Enter and Escape stay.
class QuitQuestion : public QMessageBox {
    Q_OBJECT
public:
    /// `run`: name of the experiment that is being learned; empty: a data set is being fetched.
    QuitQuestion(const QString& run, QWidget* window);

Q_SIGNALS:
    void quitChosen();
};

}  // namespace palimpsest
