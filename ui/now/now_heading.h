// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;

namespace palimpsest {

class FittingLabel;

/// Whose batches Now shows, where that does not go without saying: one of two lanes, or another run than the one in
/// full colour. Takes no room otherwise.
class NowName : public QWidget {
    Q_OBJECT
public:
    explicit NowName(QWidget* parent = nullptr);

    /// From 0, and what the lane is called. −1: there is one run alone. `look`: of the lane's run (ShownRun).
    void setLane(int lane, const QString& label, int look = 0);
    /// What the run is called; empty: it is the selected run, or there is none. Lanes are named anyway.
    void setRun(const QString& name);
    /// "Lane A · Batch mask", "Of “Batch mask”"; empty: nothing is said.
    const QString& text() const { return text_; }
    /// For people who hear the window: what Now is called.
    QString heard() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    QLabel* icon_;
    FittingLabel* words_;
    int lane_ = -1, look_ = 0;
    QString label_, run_, text_;
};

}  // namespace palimpsest
