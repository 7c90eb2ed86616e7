// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/figures/heat_plot.h"

namespace palimpsest {

/// Accuracy on each class over the images seen, classes in the order in which they came.
class ClassHeatPlot : public HeatPlot {
    Q_OBJECT
public:
    ClassHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent = nullptr);

protected:
    void fill(HeatContent& content, const ShownRun& run, const RunHistory& history) override;
    QString reason(const ShownRun& run, const RunHistory* history) const override;
};

/// Which prompts of the pool were chosen, as shares of all choices since the evaluation before.
class PromptHeatPlot : public HeatPlot {
    Q_OBJECT
public:
    PromptHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent = nullptr);

protected:
    void fill(HeatContent& content, const ShownRun& run, const RunHistory& history) override;
    QString reason(const ShownRun& run, const RunHistory* history) const override;
};

/// How many images of each class the memory keeps, classes in the order in which they came.
class MemoryHeatPlot : public HeatPlot {
    Q_OBJECT
public:
    MemoryHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent = nullptr);

protected:
    void fill(HeatContent& content, const ShownRun& run, const RunHistory& history) override;
    QString reason(const ShownRun& run, const RunHistory* history) const override;

private:
    std::vector<std::size_t> labels_;  ///< of the rows
};

}  // namespace palimpsest
