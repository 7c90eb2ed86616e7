// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/confusion_view.h"

#include <QToolButton>
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/record/predictions.h"
#include "engine/run/dataset_service.h"
#include "ui/figures/classified_images_dialog.h"
#include "ui/state/curve_options.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/picture_grid.h"

namespace palimpsest {
namespace {

QToolButton* makeStep(const QString& name, const QString& sign, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    withIcon(button, sign, &Theme::quiet);
    button->setAutoRaise(true);
    button->setAccessibleName(tip);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QString usualCaption() {
    return ConfusionView::tr("what test images were taken for");
}

}  // namespace

Confusion confusionOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                      const std::vector<std::int32_t>& seen, const ClassNames& words) {
    Confusion result;
    ConfusionCounts counts = countConfusion(truth, predictions, seen);
    MatrixContent& matrix = result.matrix;
    matrix.row_title = ConfusionView::tr("is");
    matrix.column_title = ConfusionView::tr("answered as");
    for (const std::int32_t label : counts.labels) matrix.rows.push_back(words.name(label));
    for (const std::int32_t label : counts.answers)
        matrix.columns.push_back(label >= 0 ? words.name(label) : ConfusionView::tr("no class yet"));
    const std::size_t wide = counts.answers.size();
    matrix.shares.assign(counts.counts.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < counts.labels.size(); ++row) {
        const std::int64_t sum = counts.images(row);
        for (std::size_t k = 0; sum > 0 && k < wide; ++k)
            matrix.shares[row * wide + k] = static_cast<double>(counts.count(row, k)) / static_cast<double>(sum);
    }
    matrix.counts = std::move(counts.counts);
    result.labels = std::move(counts.labels);
    result.answers = std::move(counts.answers);
    return result;
}

std::vector<std::int64_t> imagesOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                                   std::int32_t label, std::int32_t answer) {
    std::vector<std::int64_t> positions;
    for (std::size_t i = 0; i < std::min(truth.size(), predictions.size()); ++i)
        if (truth[i] == label && predictions[i] == answer) positions.push_back(static_cast<std::int64_t>(i));
    return positions;
}

ConfusionView::ConfusionView(RunSet* store, HistoryStore* histories, CurveCursor* cursor,
                             std::shared_ptr<const DatasetService> service, QWidget* parent)
    : MatrixView({QStringLiteral("confusion"),
                  tr("Confusion matrix"),
                  usualCaption(),
                  tr("A row is a true class, and says what its test images were taken for. Click a cell to see them.\n"
                     "The moment is the one all figures share; the arrows go to the evaluation before and after."),
                  {QStringLiteral("confusion-matrix"), tr("Confusion matrix"),
                   tr("What the test images of each class (rows) were taken for (columns), in per cent of the row.")}},
                 parent),
      store_(store),
      histories_(histories),
      cursor_(cursor),
      service_(std::move(service)),
      earlier_(makeStep("confusionEarlier", "chevron-left", tr("The evaluation before"))),
      later_(makeStep("confusionLater", "chevron-right", tr("The evaluation after"))) {
    addHeaderWidget(earlier_);
    addHeaderWidget(later_);
    connect(earlier_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(later_, &QToolButton::clicked, this, [this] { step(1); });
    connect(store_, &RunSet::runsChanged, this, [this] { schedule(); });
    connect(histories_, &HistoryStore::changed, this, [this] { schedule(); });
    connect(histories_, &HistoryStore::predictionsRead, this, &ConfusionView::take);
    connect(cursor_, &CurveCursor::moved, this, [this] { schedule(); });
    canvas()->setImagesNeeded(true);
    connect(canvas(), &MatrixCanvas::chosen, this, &ConfusionView::openImages);
}

ConfusionView::~ConfusionView() {
    delete dialog_;
}

std::size_t ConfusionView::wantedIndex(const RunHistory& history) const {
    const std::vector<std::int64_t>& moments = history.predicted;
    const CurveCursor::Moment moment = cursor_->moment();
    if (!moment) return moments.size() - 1;
    return static_cast<std::size_t>(nearestIn(moments, static_cast<double>(*moment)) - moments.begin());
}

void ConfusionView::clear(const QString& why) {
    asked_.reset();
    shown_moment_.reset();
    predictions_.reset();
    confusion_ = {};
    panel()->setCaption(store_->captionFor(store_->selected(), usualCaption()));
    earlier_->setEnabled(false);
    later_->setEnabled(false);
    present({}, why);
}

void ConfusionView::bringUp() {
    const ShownRun* run = store_->selected();
    if (!run) return clear(tr("Press |{startRun}| to start"));
    const HistoryStore::History history = histories_->find(run->id);
    if (!history) return clear(tr("Reading the run folder …"));
    if (history->predicted.empty())
        return clear(run->inProgress() ? tr("First matrix at the first evaluation")
                                       : tr("The folder of this run has no predictions: an older version wrote it."));
    if (!history->test_labels) return clear(tr("The folder of this run does not say which test image is what."));
    const std::size_t index = wantedIndex(*history);
    earlier_->setEnabled(index > 0);
    later_->setEnabled(index + 1 < history->predicted.size());
    const std::int64_t moment = history->predicted[index];
    nameMoment();  // the run may be called something else now
    if (run_ == run->id && asked_ == moment) return;
    run_ = run->id;
    asked_ = moment;
    truth_ = history->test_labels;
    histories_->readPredictions(run_, moment);
}

void ConfusionView::nameMoment() {
    if (!shown_moment_) return;
    panel()->setCaption(
        store_->captionFor(store_->find(shown_run_), tr("after %1 seen").arg(imagesText(*shown_moment_))));
}

void ConfusionView::take(const QString& run, qint64 samplesSeen, const TestClasses& predictions,
                         const QString& failure) {
    if (run != run_ || asked_ != samplesSeen) return;
    const ShownRun* curves = store_->find(run);
    const HistoryStore::History history = histories_->find(run);
    if (!curves || !history) return;
    if (!predictions) {
        const auto asked = asked_;
        clear(failure);
        asked_ = asked;  // not again and again
        earlier_->setEnabled(true);
        later_->setEnabled(true);
        return;
    }
    predictions_ = predictions;
    shown_moment_ = samplesSeen;
    shown_run_ = run;
    confusion_ = confusionOf(*truth_, *predictions_, history->seen, curves->facts->class_names);
    nameMoment();
    present(confusion_.matrix, tr("Nothing was tested then."));
}

void ConfusionView::step(int direction) {
    const ShownRun* run = store_->selected();
    const HistoryStore::History history = run ? histories_->find(run->id) : nullptr;
    if (!history || history->predicted.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(history->predicted.size()) - 1;
    const auto index =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(wantedIndex(*history)) + direction, 0, last);
    // At the newest one, those to come are followed again.
    cursor_->pin(index == last ? CurveCursor::Moment() : history->predicted[static_cast<std::size_t>(index)]);
    bringUp();
}

void ConfusionView::openImages(int row, int column) {
    const ShownRun* run = store_->find(run_);
    if (!run || !predictions_ || !truth_) return;
    const std::int32_t label = confusion_.labels[static_cast<std::size_t>(row)];
    const std::int32_t answer = confusion_.answers[static_cast<std::size_t>(column)];
    std::vector<KeptSample> samples;
    for (const std::int64_t position : imagesOf(*truth_, *predictions_, label, answer))
        samples.push_back({position, label});
    const auto count = static_cast<std::int64_t>(samples.size());
    // In one go: a class may be called "%2".
    const QString heading = tr("%1 answered as %2: %3, after %4 seen")
                                .arg(confusion_.matrix.rows[row], confusion_.matrix.columns[column], imagesText(count),
                                     imagesText(*shown_moment_));
    if (!dialog_) {
        dialog_ = new ClassifiedImagesDialog(service_, this);
        connect(dialog_, &ClassifiedImagesDialog::pinAsked, this, &ConfusionView::pinAsked);
    }
    dialog_->showImages(run->facts->experiment, run->facts->class_names, heading, std::move(samples));
}

}  // namespace palimpsest
