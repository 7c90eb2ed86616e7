// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/curve_table_model.h"
#include "ui/plot_overlay.h"

class QCustomPlot;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace palimpsest {

class CurveStore;
class MetricChip;
class Panel;
class PlotDecor;
struct Theme;

/// A figure in its panel, with the table of its numbers behind a button. New points are gathered for 100 ms and then
/// drawn once; looking (crosshair and readout) never redraws the curves. Mouse: wheel zooms and drag pans along x,
/// double click shows all. Keyboard, with the figure focused: Shift+Left and Shift+Right move the readout, Plus and
/// Minus zoom, Home shows all, Escape hides the readout.
class PlotView : public QWidget {
    Q_OBJECT
public:
    ~PlotView() override;

    void setTableShown(bool shown);
    bool tableShown() const;
    void showAll();

    QCustomPlot* canvas() const { return canvas_; }
    Panel* panel() const { return panel_; }
    const CurveTableModel& table() const { return *table_; }
    const std::optional<Readout>& readout() const { return overlay_->readout(); }
    /// What the figure says while it is empty.
    QString invitation() const { return overlay_->invitation(); }
    /// Names at the ends of curves as last drawn, most important first; empty where one gave way.
    std::vector<QRectF> labelRects() const;
    /// What hollow points are, as written below the axis; empty while there are none.
    QString hollowKey() const;
    /// Draws at once what is waiting for the next frame.
    void drawNow();

protected:
    struct Words {
        QString name;  ///< prefix of object names: "anytime"
        QString title;
        QString caption;
        QString tip;
    };
    PlotView(CurveStore* store, CurveKind kind, const Words& words, QWidget* parent);

    /// Moves what is new from the store into the graphs, borders and labels.
    virtual void sync() = 0;
    virtual void restyle(const Theme& theme) = 0;
    /// Current values in a sentence, for people who hear the window.
    virtual QString describe() const = 0;
    /// Places along x at which the readout can stand, ascending.
    virtual std::vector<double> readingPlaces() const = 0;
    virtual Readout readoutAt(double place) const = 0;

    CurveStore* store() const { return store_; }
    PlotDecor& decor() { return *decor_; }
    PlotOverlay& overlay() { return *overlay_; }
    const Theme& theme() const;
    /// Left of the table button.
    void addHeaderWidget(QWidget* widget);
    /// Named below the x axis, at its end; empty: no room is kept for it.
    void setUnit(const QString& unit);
    /// Pixels kept free right of the axes, for names of curves that reach their end.
    void setNameRoom(int pixels);
    /// The whole x range; kept in sight until a person zooms.
    void setWholeRange(double lower, double upper);
    bool zoomed() const { return zoomed_; }

    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void schedule();
    void frame();
    void replotSoon();
    void takeNews();
    void applyTheme(const Theme& theme);
    void fitColumns();
    void setRange(double lower, double upper);
    void clampRange();
    void read(std::optional<double> place);
    void stepReadout(int direction);
    void zoomBy(double factor);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);

    CurveStore* store_;
    Words words_;
    std::unique_ptr<PlotDecor> decor_;  ///< outlives the canvas, which is deleted in the destructor's body
    CurveTableModel* table_;
    Panel* panel_;
    QStackedWidget* pages_;
    QCustomPlot* canvas_;
    QTableView* table_view_;
    QToolButton* table_button_;
    PlotOverlay* overlay_;
    QTimer timer_{this};
    QString unit_;
    int name_room_ = 0;
    const Theme* applied_ = nullptr;
    std::optional<double> reading_;
    double whole_lower_ = 0;
    double whole_upper_ = 1;
    bool zoomed_ = false;
    bool setting_range_ = false;
};

}  // namespace palimpsest
