// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/plots/curve_table_model.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"
#include "ui/plots/plot_range.h"

class QCustomPlot;

namespace palimpsest {

class CurveCursor;
class CurveOptions;
class RunSet;
class FigurePages;
class Panel;
struct Theme;

/// A figure in its panel, with the table of its numbers behind a button. New points are gathered for 100 ms and then
/// drawn once; a moving cursor (crosshair and readout) never redraws the curves. Mouse: wheel zooms and drag pans along
/// x, double click shows all. Keyboard, with the figure focused: Shift+Left and Shift+Right move the readout, Plus and
/// Minus zoom, Home shows all, Return or a click keeps the readout where it stands, Escape lets it go.
class PlotView : public QWidget {
    Q_OBJECT
public:
    ~PlotView() override;

    /// Shared by all figures of a window; without them the figure has a readout of its own and draws plainly.
    void share(CurveCursor* cursor, CurveOptions* options);

    void setTableShown(bool shown);
    bool tableShown() const;
    void showAll();

    QCustomPlot* canvas() const { return canvas_; }
    Panel* panel() const;
    /// Pixels of height that its panel takes besides the figure.
    int heightAround() const;
    const FigureTable& table() const { return *table_; }
    const std::optional<Readout>& readout() const { return overlay_->readout(); }
    /// Text of the empty figure.
    QString invitation() const { return overlay_->invitation(); }
    /// Names, live changes and keys, as they were last drawn.
    const PlotDecor& decor() const { return *decor_; }
    PlotDecor& decor() { return *decor_; }

    /// The axis of images while the whole stream is shown: where the first image stands on the canvas, where the last
    /// one, and how many these are. Nothing: x is something else, or not as long as it has images.
    struct ImageAxis {
        double left = 0, right = 0, images = 0;
    };
    std::optional<ImageAxis> imageAxis() const;
    /// Draws at once what is waiting for the next frame.
    void drawNow();

Q_SIGNALS:
    /// The axes may stand elsewhere now.
    void laidOut();

protected:
    struct Texts {
        QString name;  ///< prefix of object names: "anytime"
        QString title;
        QString caption;
        QString tip;
    };
    /// With the numbers of these points as its table, and drawn again when they change.
    PlotView(RunSet* store, CurveKind kind, const Texts& texts, QWidget* parent);
    /// With another table, which becomes the figure's; schedule() when there is something new.
    PlotView(RunSet* store, FigureTable* table, const Texts& texts, QWidget* parent);

    /// Moves what is new from the store into the graphs, borders and labels.
    virtual void sync() = 0;
    virtual void restyle(const Theme& theme) = 0;
    /// Current values in a sentence, for screen readers.
    virtual QString describe() const = 0;
    /// Places along x at which the readout can stand, ascending.
    virtual std::vector<double> readingPlaces() const = 0;
    virtual Readout readoutAt(double place) const = 0;
    /// Conversion between a place along x and the moment all figures share: images seen by the selected run.
    virtual std::optional<std::int64_t> momentAt(double place) const { return static_cast<std::int64_t>(place); }
    virtual std::optional<double> placeOf(std::int64_t moment) const { return static_cast<double>(moment); }
    /// x is the images seen, for which the logarithmic axis may be chosen.
    virtual bool alongImages() const { return true; }
    /// The newest point along x, which a zoomed figure may follow.
    virtual std::optional<double> newestPlace() const { return std::nullopt; }
    /// Another way to draw was chosen; the next sync() follows it.
    virtual void applyOptions(const CurveOptions& /*options*/) {}
    /// Position of the mouse, in pixels of the plot, before the readout is asked for.
    virtual void hovered(const QPointF& /*point*/) {}

    RunSet* store() const { return store_; }
    /// Null: plain.
    const CurveOptions* options() const { return options_; }
    /// Draws what is new with the next frame.
    void schedule() {
        if (!timer_.isActive()) timer_.start();
    }
    PlotOverlay& overlay() { return *overlay_; }
    const PlotOverlay& overlay() const { return *overlay_; }
    const Theme& theme() const;
    /// Left of the table button.
    void addHeaderWidget(QWidget* widget);
    /// Named below the x axis, at its end; empty: no room is kept for it.
    void setUnit(const QString& unit);
    /// Pixels kept free right of the axes, for names of curves that reach their end; a third of the figure at most.
    /// `spare`: as many where that is little of the figure, for names that may be cut elsewhere.
    void setNameRoom(int pixels, int spare = 0);
    /// Pixels of the names of rows left of the axes; 0: as much as "100".
    void setLeftRoom(int pixels);
    /// The whole x range; kept in sight until the user zooms.
    void setWholeRange(double lower, double upper);

    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void frame();
    void replotSoon();
    void bringUpToDate();
    void applyTheme(const Theme& theme);
    void styleAll(const Theme& theme);
    void limitNameRoom();
    /// What hollow points are, at their key; whole names that were shortened or gave way, at the names; else empty.
    QString wordsAt(const QPoint& point) const;
    void readAt(std::optional<double> place);
    /// Moves the shared cursor to a place, and with it all figures.
    void moveCursor(std::optional<double> place);
    void pin(std::optional<double> place);
    void followCursor();
    std::optional<double> placeAt(double pixel) const;
    void stepReadout(int direction);
    void zoomBy(double factor);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);

    RunSet* store_;
    Texts texts_;
    std::unique_ptr<PlotDecor> decor_;  ///< outlives the canvas, which is deleted in the destructor's body
    FigureTable* table_;
    QCustomPlot* canvas_;
    PlotRange range_;
    FigurePages* pages_;
    PlotOverlay* overlay_;
    CurveCursor* cursor_ = nullptr;
    CurveOptions* options_ = nullptr;
    std::optional<QPoint> pressed_;
    std::optional<std::optional<std::int64_t>> pinned_before_;  ///< what the last click put elsewhere
    QTimer timer_{this};
    QString unit_;
    int wanted_name_room_ = 0, spare_name_room_ = 0;
    int name_room_ = 0;  ///< as much of it as the figure's width allows
    int left_room_ = 0;
    const Theme* applied_ = nullptr;
    std::optional<double> reading_;
    bool curves_known_ = false;  ///< by the overlay, as they are drawn now
};

}  // namespace palimpsest
