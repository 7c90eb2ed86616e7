// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/record/run_history.h"
#include "ui/figures/matrix_view.h"
#include "ui/state/class_names.h"
#include "ui/state/history_store.h"

class QToolButton;

namespace palimpsest {

class ClassifiedImagesDialog;
class CurveCursor;
class DatasetService;
class RunSet;

/// Answers to the test images at one moment: a row for each true class that was tested, in the order in which the
/// classes came, and a column for each of them; one more for answers that no class has, where there are any.
struct Confusion {
    MatrixContent matrix;               ///< shares of the images of a row
    std::vector<std::int32_t> labels;   ///< of the rows
    std::vector<std::int32_t> answers;  ///< of the columns; kNoClassYet: none
};

/// Lists of unequal length are compared as far as both go.
Confusion confusionOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                      const std::vector<std::int32_t>& seen, const ClassNames& words);
/// Positions of the test images in one cell, ascending.
std::vector<std::int64_t> imagesOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                                   std::int32_t label, std::int32_t answer);

/// The confusion matrix of the selected run at the moment that all figures share, or at its last evaluation. A
/// cell opens the test images behind it, if there are any.
class ConfusionView : public MatrixView {
    Q_OBJECT
public:
    ConfusionView(RunSet* store, HistoryStore* histories, CurveCursor* cursor,
                  std::shared_ptr<const DatasetService> service, QWidget* parent = nullptr);
    ~ConfusionView() override;

    /// Images seen at the evaluation that is shown; nothing: none.
    std::optional<std::int64_t> shownMoment() const { return shown_moment_; }

Q_SIGNALS:
    /// A test image of the selected run is to be followed.
    void pinAsked(qint64 image);

protected:
    void bringUp() override;

private:
    void take(const QString& run, qint64 samplesSeen, const TestClasses& predictions, const QString& failure);
    void step(int direction);
    /// In the caption, with the run.
    void nameMoment();
    void openImages(int row, int column);
    void clear(const QString& why);
    /// Index of the evaluation to show among those of the history, which has some.
    std::size_t wantedIndex(const RunHistory& history) const;

    RunSet* store_;
    HistoryStore* histories_;
    CurveCursor* cursor_;
    const std::shared_ptr<const DatasetService> service_;
    ClassifiedImagesDialog* dialog_ = nullptr;
    QToolButton *earlier_, *later_;
    QString run_;        ///< that is asked for
    QString shown_run_;  ///< whose matrix is there
    std::optional<std::int64_t> asked_, shown_moment_;
    TestClasses predictions_;  ///< of the moment that is shown
    TestClasses truth_;
    Confusion confusion_;
};

}  // namespace palimpsest
