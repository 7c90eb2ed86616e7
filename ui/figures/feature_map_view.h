// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>
#include <memory>
#include <optional>

#include "engine/record/feature_map.h"
#include "ui/figures/feature_canvas.h"
#include "ui/figures/feature_key.h"
#include "ui/plots/figure_pages.h"
#include "ui/plots/grid_content.h"
#include "ui/state/background.h"
#include "ui/state/history_store.h"
#include "ui/state/throttle.h"

class QToolButton;

namespace palimpsest {

class CurveCursor;
class FittingLabel;
class Panel;
class RunSet;
struct ShownRun;

/// The points and arrows of one moment, as numbers.
class FeatureTable : public FigureTable {
    Q_OBJECT
public:
    using FigureTable::FigureTable;

    void setShown(const FeatureShown& shown);
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(rows_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() || rows_.empty() ? 0 : kColumns;
    }

protected:
    QString cellText(int row, int column) const override;
    QString heading(int column) const override;

private:
    static constexpr int kColumns = 5;
    FeatureShown shown_;
    std::vector<FeatureCanvas::Spot> rows_;
};

/// The feature map of the selected run at the moment that all figures share, or as far as the run is: features of test
/// images as the head gets them and the head's rows, in the plane of the principal axes of the first evaluation, or of
/// another one that the user fitted them to. Read from the run's folder away from the window's thread, again after each
/// evaluation while somebody looks.
class FeatureMapView : public QWidget {
    Q_OBJECT
public:
    FeatureMapView(RunSet* store, HistoryStore* histories, CurveCursor* cursor,
                   std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);

    FeatureCanvas* canvas() const { return canvas_; }
    const FeatureKey* key() const { return key_; }
    const FeatureTable& table() const { return *table_; }
    Panel* panel() const { return pages_->panel(); }
    void setTableShown(bool shown) { pages_->setTableShown(shown); }
    /// Images seen at the evaluation that is shown; nothing: none.
    std::optional<std::int64_t> shownMoment() const;
    /// What is seen at this moment, in a sentence.
    QString sentence() const;
    /// Fits the axes to the features of the moment that is shown, until reset().
    void refit();
    void reset();
    /// The publication of what is shown; null: nothing is.
    std::function<report::Publication()> source() const;
    /// Shows at once what is waiting for the next turn.
    void showNow() { bringUp(); }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Map {
        std::shared_ptr<const FeatureMap> map;
        std::shared_ptr<const FeaturePicture> picture;
    };
    void bringUp();
    void read(const QString& run, std::size_t measured);
    void showRun(const ShownRun& run);
    void showNothing(const QString& why);
    void step(int direction);
    void takePredictions(const QString& run, qint64 samplesSeen, const TestClasses& predictions);
    void say();
    void setBasis(std::optional<std::int64_t> basis);

    RunSet* store_;
    HistoryStore* histories_;
    CurveCursor* cursor_;
    FeatureCanvas* canvas_;
    FeatureTable* table_;
    FeatureKey* key_;
    FigurePages* pages_;
    FittingLabel* words_;
    QToolButton *earlier_, *later_, *refit_, *reset_;
    QString run_;               ///< that is read
    std::size_t measured_ = 0;  ///< its evaluations when it was
    std::optional<std::int64_t>
        basis_;  ///< images seen at the evaluation that the axes are fitted to; nothing: the first
    Map now_;
    QString failure_;
    std::optional<std::int64_t> asked_;  ///< whose predictions are wanted
    TestClasses predictions_;
    Throttle throttle_;
    Background background_;
};

}  // namespace palimpsest
