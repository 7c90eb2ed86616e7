// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/grid_content.h"
#include "ui/plots/plot_view.h"
#include "ui/state/history_store.h"

namespace palimpsest {

class FittingLabel;
class HeatMap;
class HeatScale;
class HeatTable;

/// A heat map over the images seen, of the selected run. A subclass defines its rows.
class HeatPlot : public PlotView {
    Q_OBJECT
public:
    ~HeatPlot() override;
    const HeatContent& content() const;
    /// The publication of what is shown; null: nothing is.
    std::function<report::Publication()> source() const;

protected:
    struct Kind {
        std::function<QString(double)> text;  ///< of a value
        double scale = 1;                     ///< of a value in a file
        PublishedTexts published;
        QString absent = tr("not yet");  ///< in place of a value that is not there
        QString axis = {};               ///< title of the colours, with the unit; empty: values say it themselves
        QStringList meaning = {};        ///< a sentence below the figure, longest first; empty: none
    };
    HeatPlot(RunSet* store, HistoryStore* histories, const Texts& texts, const Kind& kind, QWidget* parent);

    /// Appends the moments that are not there yet. The content was cleared if another run is shown.
    virtual void fill(HeatContent& content, const ShownRun& run, const RunHistory& history) = 0;
    /// Why there is nothing to show: a sentence that fits into the figure. `history`: null while it is not known.
    virtual QString reason(const ShownRun& run, const RunHistory* history) const = 0;
    /// Which rows a readout names first, besides the one under the mouse.
    virtual std::vector<std::size_t> worthReading(const HeatContent& content, std::size_t moment) const;

    void sync() override;
    void restyle(const Theme& theme) override;
    QString describe() const override;
    std::vector<double> readingPlaces() const override { return content().xs; }
    Readout readoutAt(double place) const override;
    std::optional<double> newestPlace() const override {
        return content().xs.empty() ? std::nullopt : std::optional(content().xs.back());
    }
    void hovered(const QPointF& point) override;

private:
    /// Content alone, without drawing.
    void bringUp();
    void nameRows();
    QString shownRun() const;

    HistoryStore* histories_;
    HeatMap* map_;
    HeatTable* numbers_;
    HeatScale* scale_;
    FittingLabel* meaning_ = nullptr;  ///< null: values need none
    const Kind kind_;
    const QString caption_;  ///< without the run's name
    HistoryStore::History shown_;
    QString run_;
    QStringList named_;
    int named_height_ = 0;
    std::optional<double> row_;  ///< under the mouse
};

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

/// How far each class was pulled up or pushed down since the evaluation before, classes in the order in which they
/// came.
class PushHeatPlot : public HeatPlot {
    Q_OBJECT
public:
    PushHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent = nullptr);

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
