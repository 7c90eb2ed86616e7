// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace palimpsest {

/// Asks before the window closes over work in progress, without holding up that work. Enter and Escape stay.
class QuitQuestion : public QMessageBox {
    Q_OBJECT
public:
    enum class Work { Run, Adaptation, Fetch };
    /// `name`: of the experiment that is being learned; of no matter for other work.
    QuitQuestion(Work work, const QString& name, QWidget* window);

Q_SIGNALS:
    void quitChosen();
};

}  // namespace palimpsest
