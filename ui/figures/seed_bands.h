// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPen>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_overlay.h"
#include "ui/plots/seed_means.h"
#include "ui/state/seed_groups.h"
#include "ui/state/series.h"

class QCPErrorBars;
class QCPGraph;
class QCustomPlot;

namespace palimpsest {

class CurveGraph;
class RunSet;
struct RunAxis;
struct ShownRun;
struct Theme;

/// The layer of a figure of retention on which the line of a session stands: session 1 above the others, compared runs
/// below them. Made if it is missing.
QString retentionLayer(QCustomPlot& plot, bool selected, std::int64_t session);
/// Styles the markers of the line of a session; returns how many pixels they reach from a point. `look`: of a compared
/// run.
double styleRetentionMarkers(QCPGraph& line, bool selected, std::int64_t session, int look, const Theme& theme);

/// Runs that differ in nothing but the seed, in a figure: the mean of each group as a line and how far the runs lie
/// around it as a band or as whiskers, over the line a smoothed one if the user chose so. A subclass computes the
/// values. The graphs belong to the figure.
class SeedBands {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::SeedBands)
public:
    SeedBands(const SeedBands&) = delete;
    SeedBands& operator=(const SeedBands&) = delete;
    virtual ~SeedBands();

    void style(const Theme& theme);
    /// Removes the graphs from the figure.
    void clear();

    /// True for each run of a group that is averaged, even one that does not count in the mean.
    bool has(const ShownRun& run) const { return bandOf(run) != nullptr; }
    /// True for another seed of the selected run, below the mean that stands for it.
    bool isBelowSelected(const ShownRun& run) const;
    /// True for a run that counts in a mean, whose end then names it.
    bool averages(const ShownRun& run) const;
    /// The highest edge of any band, in units of the axes; below 0: there is none.
    double highest() const;
    std::vector<CurveEnd> ends(const Theme& theme) const;
    /// Appends a row for each mean that has a value at the place.
    void addRows(Readout& out, double place, const Theme& theme) const;

protected:
    /// A place of a mean, in units of the axes.
    struct Point {
        double x = 0, mean = 0, half_width = 0;
    };
    struct Line {
        std::int64_t session = 0;  ///< from 0; in a figure of retention only
        std::size_t points = 0;    ///< that are drawn
        double highest = -1;       ///< of them, with what lies around; below 0: there are none
        std::size_t step = 1;      ///< every nth point is a place of the band
        CurveGraph* mean = nullptr;
        CurveGraph* smooth = nullptr;  ///< drawn over the mean
        std::optional<RunningMean> running;
        QCPGraph *low = nullptr, *high = nullptr;
        QCPErrorBars* whiskers = nullptr;
        double reach = 0;  ///< pixels of its markers
    };
    struct Band {
        std::string group;
        QString label;
        QStringList runs;                  ///< ids of those that count in the mean
        std::vector<std::uint64_t> state;  ///< the values are computed anew when it changes
        BandWidth width = BandWidth::Deviation;
        int smoothing = 0;  ///< points that the smoothed line reaches over; 0: there is none
        bool selected = false;
        int look = 0, hue = 0;
        std::uint64_t since = 0;  ///< ascends in the order in which groups came
        std::vector<std::unique_ptr<Line>> lines;

        bool sameAs(const Band& other) const;
    };
    struct Style {
        QPen pen;
        QColor colour;                   ///< of band and name
        QString line_layer, edge_layer;  ///< empty: the graph stays on its layer
    };
    /// A mean at a place of the readout, in units of the axes, and the values behind it.
    struct Reading {
        double x = 0, y = 0;
        Spread values;
    };
    /// The graphs of a group when its values change: the same ones, in the order in which the groups came, or others.
    enum class Graphs { Stay, Renew };

    /// Both outlive it.
    SeedBands(QCustomPlot& plot, const RunSet& store, Graphs graphs);

    /// Shows these groups and no others; new points of the same values are appended.
    void show(const std::vector<SeedGroup>& groups, BandWidth width, int smoothing, const Theme& theme);
    /// Adds an empty line to a band.
    void addLine(Band& band, std::int64_t session, bool edges, bool whiskers);
    const Band* bandOf(const ShownRun& run) const;
    const std::vector<std::unique_ptr<Band>>& bands() const { return bands_; }
    QCustomPlot& plot() const { return plot_; }
    const RunSet& store() const { return store_; }

    /// Numbers that change whenever the values of the group do.
    virtual std::vector<std::uint64_t> stateOf(const SeedGroup& group) const = 0;
    /// Computes the values of the band and adds its lines, if it has none yet.
    virtual void average(Band& band, const std::vector<const ShownRun*>& runs) = 0;
    virtual std::size_t sizeOf(const Band& band, const Line& line) const = 0;
    virtual Point pointOf(const Band& band, const Line& line, std::size_t index) const = 0;
    virtual std::optional<Reading> readingAt(const Band& band, const Line& line, double place) const = 0;
    virtual Style styleOf(const Band& band, const Line& line, const Theme& theme) const;
    virtual void styleLine(const Band& band, Line& line, const Theme& theme) const;
    /// A value in units of the axes, as text: "74.6 %".
    virtual QString numberText(double value) const;
    /// "74.6 ± 1.2 %", of fractions or losses.
    virtual QString spreadText(const Spread& values, BandWidth width) const = 0;
    /// Mean and band of the last point that is drawn.
    virtual QString lastText(const Band& band, const Line& line) const = 0;
    virtual CurveEnd endOf(const Band& band, const Line& line, const Theme& theme) const;
    /// A line's name in the readout, without the number of runs.
    virtual QString rowName(const Band& band, const Line&) const { return band.label; }
    virtual MarkerShape rowShape(const Band&, const Line&) const { return MarkerShape::Diamond; }

private:
    void grow(const Band& band, Line& line);
    void thinOut(Line& line);
    void empty(Line& line, int smoothing);
    void remove(Band& band);

    QCustomPlot& plot_;
    const RunSet& store_;
    const Graphs graphs_;
    std::vector<std::unique_ptr<Band>> bands_;
    std::uint64_t shown_ = 0;  ///< groups so far
};

/// Means of the anytime accuracy.
class AccuracyBands : public SeedBands {
public:
    /// All of them outlive it.
    AccuracyBands(QCustomPlot& plot, const RunSet& store, const RunAxis& axis)
        : SeedBands(plot, store, Graphs::Stay), axis_(axis) {}

    /// clear() before another smoothing or axis.
    void update(const std::vector<SeedGroup>& groups, BandWidth width, int smoothing, const Theme& theme);
    /// The evaluation that the mean with the run in it shows at a place along images seen; nothing: no such mean is
    /// there.
    std::optional<std::size_t> evaluationOf(const ShownRun& run, double place) const;
    /// The accuracy of the run that the mean with the run in it counts at a place along sessions, where each run was
    /// evaluated elsewhere; nothing: it counts none.
    std::optional<double> accuracyOf(const ShownRun& run, double place) const;

protected:
    std::vector<std::uint64_t> stateOf(const SeedGroup& group) const override;
    void average(Band& band, const std::vector<const ShownRun*>& runs) override;
    std::size_t sizeOf(const Band& band, const Line&) const override { return values_.at(band.group).x.size(); }
    Point pointOf(const Band& band, const Line& line, std::size_t index) const override;
    std::optional<Reading> readingAt(const Band& band, const Line& line, double place) const override;
    QString spreadText(const Spread& values, BandWidth width) const override;
    QString lastText(const Band& band, const Line& line) const override;

private:
    /// The evaluation of its runs that a band shows at a place.
    std::optional<std::size_t> evaluationAt(const Band& band, double place) const;

    const RunAxis& axis_;
    std::map<std::string, SeedBand> values_;  ///< by group
};

/// Means of the loss, which are only ever appended to.
class LossBands : public SeedBands {
public:
    LossBands(QCustomPlot& plot, const RunSet& store) : SeedBands(plot, store, Graphs::Renew) {}

    void update(std::vector<LossGroup> groups, BandWidth width, int smoothing, const Theme& theme);
    /// The highest edge between two places; 0: there is none.
    double highest(double from, double to) const;

protected:
    std::vector<std::uint64_t> stateOf(const SeedGroup& group) const override;
    void average(Band& band, const std::vector<const ShownRun*>& runs) override;
    std::size_t sizeOf(const Band& band, const Line&) const override { return losses_.at(band.group).size(); }
    Point pointOf(const Band& band, const Line& line, std::size_t index) const override;
    std::optional<Reading> readingAt(const Band& band, const Line& line, double place) const override;
    Style styleOf(const Band& band, const Line& line, const Theme& theme) const override;
    QString numberText(double value) const override;
    QString spreadText(const Spread& values, BandWidth width) const override;
    QString lastText(const Band& band, const Line& line) const override {
        return spreadText(losses_.at(band.group).at(line.points - 1), band.width);
    }

private:
    std::map<std::string, SeedLosses> losses_;  ///< by group
};

/// Means of retention: of the group with the selected run one for each session, session 1 with a band and the others
/// with whiskers; of another group session 1 alone.
class RetentionBands : public SeedBands {
public:
    RetentionBands(QCustomPlot& plot, const RunSet& store) : SeedBands(plot, store, Graphs::Renew) {}

    /// `stride`: of very many sessions every nth has a line.
    void update(const std::vector<SeedGroup>& groups, BandWidth width, std::int64_t stride, const Theme& theme);
    /// Names at the ends at their widest.
    std::vector<QString> widestNames() const;
    /// Adds the places at which a mean has a value.
    void addPlaces(std::set<double>& places) const;
    /// Each mean's last value in words.
    QStringList describe() const;
    /// "mean of 3 seeds (session 5: 2)" of the group with the selected run; empty without one.
    QString averaging() const;

protected:
    std::vector<std::uint64_t> stateOf(const SeedGroup& group) const override;
    void average(Band& band, const std::vector<const ShownRun*>& runs) override;
    std::size_t sizeOf(const Band& band, const Line& line) const override;
    Point pointOf(const Band& band, const Line& line, std::size_t index) const override;
    std::optional<Reading> readingAt(const Band& band, const Line& line, double place) const override;
    Style styleOf(const Band& band, const Line& line, const Theme& theme) const override;
    void styleLine(const Band& band, Line& line, const Theme& theme) const override;
    QString spreadText(const Spread& values, BandWidth width) const override;
    QString lastText(const Band& band, const Line& line) const override {
        return spreadText(lastOf(band, line).second, band.width);
    }
    CurveEnd endOf(const Band& band, const Line& line, const Theme& theme) const override;
    QString rowName(const Band& band, const Line& line) const override;
    MarkerShape rowShape(const Band& band, const Line& line) const override;

private:
    /// Means by session, each by session after which it was measured.
    struct Sessions {
        std::vector<std::vector<std::pair<std::int64_t, Spread>>> means;
        std::vector<report::SessionSeeds> seeds;
    };
    const std::pair<std::int64_t, Spread>& lastOf(const Band& band, const Line& line) const;
    QString nameOf(const Band& band, const Line& line) const;

    std::int64_t stride_ = 1;
    std::map<std::string, Sessions> sessions_;  ///< by group
};

}  // namespace palimpsest
