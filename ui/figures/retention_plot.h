// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "ui/figures/seed_bands.h"
#include "ui/plots/percent_axis.h"
#include "ui/plots/plot_view.h"

namespace palimpsest {

class GuessBook;
class GuessLine;

/// Retention of each session: accuracy on a session's test data after it and after every later session. Session 1 is
/// the thickest line. Of a compared run only session 1 is drawn, and of very many sessions only some. If the user
/// chose so, runs that differ in nothing but the seed are one: the mean of each session, and of each run session 1
/// alone, thin below it.
class RetentionPlot : public PlotView {
    Q_OBJECT
public:
    explicit RetentionPlot(RunSet* store, QWidget* parent = nullptr);
    ~RetentionPlot() override;

    /// From now on guesses of session 1 are drawn and shown.
    void setGuesses(GuessBook* book);

protected:
    void sync() override;
    void restyle(const Theme& theme) override;
    QString describe() const override;
    std::vector<double> readingPlaces() const override;
    Readout readoutAt(double place) const override;
    /// A place is the end of a session.
    std::optional<std::int64_t> momentAt(double place) const override;
    std::optional<double> placeOf(std::int64_t moment) const override;
    bool alongImages() const override { return false; }
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Line;
    /// The visible runs; none while a guess of the next run is drawn.
    std::vector<const ShownRun*> drawnRuns() const;
    void updateLines();
    void updateEnds();
    void updateTicks(std::int64_t sessions);
    /// Pixels right of the last marker, for names.
    double roomRight() const;
    bool banded(const ShownRun& run) const;
    /// One of more lines than can be told apart: without a name and a colour of its own.
    bool inCrowd(const Line& line) const;
    void style(Line& line) const;
    QString nameOf(const Line& line) const;
    QString invitationNow() const;

    std::vector<std::unique_ptr<Line>> lines_;
    bool crowded_ = false;
    PercentAxis percent_;
    RetentionBands bands_;
    GuessLine* guess_ = nullptr;
    std::int64_t sessions_ = 0, tick_step_ = 0;
    int widest_name_ = 0;  ///< pixels that it takes beside the end of its curve
    bool long_ticks_ = false;
};

}  // namespace palimpsest
