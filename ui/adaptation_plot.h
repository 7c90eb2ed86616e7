// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>

#include "ui/pacer.h"

class QCPGraph;
class QCustomPlot;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace palimpsest {

class AdaptationLog;
class Panel;
class PlotDecor;
class PlotOverlay;

/// The loss of an adaptation while it goes on: each report faint, the running mean strong, the mean of the perturbing
/// pass dashed; with the table of the numbers behind a button. Drawn at most ten times a second.
class AdaptationPlot : public QWidget {
    Q_OBJECT
public:
    explicit AdaptationPlot(AdaptationLog* log, QWidget* parent = nullptr);
    ~AdaptationPlot() override;

    /// What the axis reaches over: from where this adaptation begins to its end.
    void setSteps(std::int64_t first, std::int64_t total);
    QCustomPlot* canvas() const { return canvas_; }
    /// Values in the curve of the loss.
    int points() const;
    void setTableShown(bool shown);
    /// Draws at once what is waiting for the next frame.
    void drawNow();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void clear();
    void takeReports();
    void frame();
    void restyle();
    void fitAxes();
    void updateEnds();

    AdaptationLog* log_;
    std::unique_ptr<PlotDecor> decor_;  ///< outlives the canvas, which is deleted in the destructor's body
    Panel* panel_;
    QStackedWidget* pages_;
    QCustomPlot* canvas_;
    PlotOverlay* overlay_;
    QTableView* table_;
    QToolButton* table_button_;
    QCPGraph *raw_ = nullptr, *mean_ = nullptr, *other_ = nullptr;
    qsizetype taken_ = 0;  ///< reports in the curves
    double highest_ = 0, lowest_ = 0;
    std::int64_t first_ = 0, total_ = 0;
    Pacer pacer_;
};

}  // namespace palimpsest
