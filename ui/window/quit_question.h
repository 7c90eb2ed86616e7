// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMessageBox>

namespace palimpsest {

/// Asks before the window closes over work in progress or prompts that would be lost, without holding up that work.
/// Enter and Escape stay.
class QuitQuestion : public QMessageBox {
    Q_OBJECT
public:
    /// Prompts: they are done, but could not be written.
    enum class Work { Run, Adaptation, Fetch, Prompts };
    /// `name`: of the experiment that is being learned, empty when none is.
    QuitQuestion(Work work, const QString& name, QWidget* window);
    Work work() const { return work_; }

Q_SIGNALS:
    void quitChosen();

private:
    const Work work_;
};

}  // namespace palimpsest
