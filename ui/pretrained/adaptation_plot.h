// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"
#include "ui/state/throttle.h"

class QCustomPlot;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace palimpsest {

class AdaptationCurves;
class AdaptationLog;
class Panel;
class PlotDecor;
struct AdaptationProgress;
struct Theme;

/// The loss of an adaptation while it goes on: each report faint, the running mean strong, the mean of the perturbing
/// pass dashed; with the table of the numbers behind a button. Drawn at most ten times a second; reading values
/// (crosshair and readout) never redraws the curves. Keyboard, with the figure focused: Shift+Left and Shift+Right move
/// the readout, Escape hides it.
class AdaptationPlot : public QWidget {
    Q_OBJECT
public:
    explicit AdaptationPlot(AdaptationLog* log, QWidget* parent = nullptr);
    ~AdaptationPlot() override;

    /// Range of the axis: from where this adaptation begins to its end.
    void setSteps(std::int64_t first, std::int64_t total);
    QCustomPlot* canvas() const { return canvas_; }
    /// Values in the curve of the loss.
    int points() const;
    void setTableShown(bool shown);
    const std::optional<Readout>& readout() const { return overlay_->readout(); }
    /// Sets what is drawn and its source.
    const AdaptationLog* log() const { return log_; }
    /// Draws at once what is waiting for the next frame.
    void drawNow();

Q_SIGNALS:
    void exportAsked();

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void clear();
    void frame();
    void restyle(const Theme& theme);
    void fitAxes();
    void updateEnds(const Theme& theme);
    /// Shows the report of this row; nothing: no readout.
    void read(std::optional<qsizetype> row);
    Readout readoutOf(const AdaptationProgress& report) const;
    void stepReadout(int direction);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);

    AdaptationLog* log_;
    std::unique_ptr<PlotDecor> decor_;  ///< outlives the canvas, which is deleted in the destructor's body
    Panel* panel_;
    QStackedWidget* pages_;
    QCustomPlot* canvas_;
    PlotOverlay* overlay_;
    QTableView* table_;
    QToolButton *export_button_, *table_button_;
    std::unique_ptr<AdaptationCurves> curves_;
    std::optional<qsizetype> reading_;  ///< row
    std::int64_t first_ = 0, total_ = 0;
    Throttle throttle_;
};

}  // namespace palimpsest
