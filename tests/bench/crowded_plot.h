// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <benchmark/benchmark.h>

#include <qcustomplot.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "tests/support/made_up_runs.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/state/run_set.h"

namespace palimpsest {

/// Many long curves in the anytime figure, one of them still growing, and the durations of its frames.
class CrowdedPlot {
public:
    enum Look { Still, Growing, Moved, Zoomed };

    CrowdedPlot(std::int64_t runs, std::int64_t points) : whole_(static_cast<double>(points) * 11), plot_(&store_) {
        plot_.resize(1000, 400);
        plot_.show();
        RunStarted start = testing::madeUpStart(1, "", "batch");
        start.total_samples = points * 11;
        store_.onStarted(start);
        for (std::int64_t i = 0; i < points; ++i) append();
        for (std::int64_t i = 1; i < runs; ++i) {
            const std::string folder = "/runs/" + std::to_string(i);
            RunRecord record = testing::madeUpRecord(folder, "none", 0.5, i);
            record.total_samples = points * 11;
            record.anytime.clear();
            const double level = 0.2 + 0.6 * static_cast<double>(i) / static_cast<double>(runs);
            for (std::int64_t k = 1; k <= points; ++k)
                record.anytime.push_back({k * 10, 0, level + wobble_(noise_), 1, 10, k});
            store_.addRecord(record);
            store_.setVisible(QString::fromStdString(folder), true);
        }
        plot_.drawNow();
    }

    void drawFrame(std::int64_t look) {
        const auto begin = std::chrono::steady_clock::now();
        if (look == Growing) append();
        if (look == Moved) plot_.canvas()->xAxis->setRange(turn_ * whole_ / 1000, (turn_ + 300) * whole_ / 1000);
        if (look == Zoomed) plot_.canvas()->xAxis->setRange(whole_ * 0.3, whole_ * (0.3 + 0.6 / (1 + turn_ / 10)));
        plot_.drawNow();
        times_.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
        turn_ += 1;
    }

    /// Median and 99th percentile of single frames.
    void report(benchmark::State& state) {
        std::sort(times_.begin(), times_.end());
        state.counters["p50_ms"] = times_[times_.size() / 2];
        state.counters["p99_ms"] = times_[times_.size() * 99 / 100];
    }

private:
    void append() {
        samples_ += 10;
        store_.onEvaluated(testing::madeUpEvaluation(1, samples_, 0.5 + wobble_(noise_)));
    }

    const double whole_;
    RunSet store_;
    AccuracyPlot plot_;
    std::mt19937 noise_{7};
    std::normal_distribution<double> wobble_{0, 0.03};
    std::int64_t samples_ = 0;
    double turn_ = 0;
    std::vector<double> times_;
};

}  // namespace palimpsest
