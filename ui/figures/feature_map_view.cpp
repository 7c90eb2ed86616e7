// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/feature_map_view.h"

#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/run/dataset_service.h"
#include "ui/state/curve_options.h"
#include "ui/state/engine_text.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/picture_grid.h"

namespace palimpsest {
namespace {

constexpr int kFeatureTurnMs = 100;

QToolButton* makeFeatureButton(const QString& name, const QString& sign, const QString& text, const QString& title,
                               const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    if (!sign.isEmpty()) withIcon(button, sign, &Theme::quiet);
    button->setText(text);
    if (!text.isEmpty()) {
        button->setProperty("link", true);
        fitToText(button, [button] { button->setFont(textFont(button->font(), text_size::kText)); });
    }
    button->setAutoRaise(true);
    button->setAccessibleName(title);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

std::vector<std::string> namesOf(const FeatureMap& map, const ClassNames& names) {
    std::vector<std::string> all;
    for (const std::int32_t label : map.classes) all.push_back(names.name(label).toStdString());
    return all;
}

PublishedTexts publishedFeatures() {
    return {QStringLiteral("feature-map"), FeatureMapView::tr("Feature map"),
            FeatureMapView::tr("Features of test images and rows of the head, in the plane of two principal axes.")};
}

}  // namespace

void FeatureTable::setShown(const FeatureShown& shown) {
    beginResetModel();
    shown_ = shown;
    rows_.clear();
    if (!shown_.empty()) {
        const auto there = [](const FeaturePicture::Place& place) { return std::isfinite(place[0]); };
        const auto add = [&](bool arrows, const std::vector<FeaturePicture::Place>& places) {
            for (std::size_t i = 0; i < places.size(); ++i)
                if (there(places[i])) rows_.push_back({arrows, i});
        };
        add(false, shown_.picture->points[shown_.moment]);
        add(true, shown_.picture->arrows[shown_.moment]);
    }
    endResetModel();
}

QString FeatureTable::heading(int column) const {
    switch (column) {
        case 0:
            return tr("Class");
        case 1:
            return tr("Test image");
        case 2:
            return tr("Taken for");
        case 3:
            return tr("1st axis");
        default:
            return tr("2nd axis");
    }
}

QString FeatureTable::cellText(int row, int column) const {
    const FeatureCanvas::Spot& spot = rows_[static_cast<std::size_t>(row)];
    const FeaturePicture::Place& place = spot.arrow ? shown_.picture->arrows[shown_.moment][spot.place]
                                                    : shown_.picture->points[shown_.moment][spot.place];
    const std::int32_t label = spot.arrow ? shown_.map->classes[spot.place] : shown_.map->points[spot.place].label;
    switch (column) {
        case 0:
            return shown_.names.name(label);
        case 1:
            return spot.arrow ? tr("arrow") : countText(shown_.map->points[spot.place].image);
        case 2: {
            const std::int32_t answer = spot.arrow ? kNotTested : shown_.answer(spot.place);
            return answer >= 0 ? shown_.names.name(answer) : answer == kNoClassYet ? tr("no class yet") : QString();
        }
        default:
            return QString::number(place[static_cast<std::size_t>(column - 3)], 'g', 4);
    }
}

FeatureMapView::FeatureMapView(RunSet* store, HistoryStore* histories, CurveCursor* cursor,
                               std::shared_ptr<const DatasetService> service, QWidget* parent)
    : QWidget(parent),
      store_(store),
      histories_(histories),
      cursor_(cursor),
      canvas_(new FeatureCanvas(std::move(service))),
      table_(new FeatureTable(this)),
      key_(new FeatureKey),
      words_(new FittingLabel),
      earlier_(makeFeatureButton("featuresEarlier", "chevron-left", {}, tr("The features recorded before"),
                                 tr("The features recorded before"))),
      later_(makeFeatureButton("featuresLater", "chevron-right", {}, tr("The features recorded after"),
                               tr("The features recorded after"))),
      refit_(makeFeatureButton("featuresRefit", {}, tr("Refit"), tr("Refit the axes to this moment"),
                               tr("Fit the axes to the points as they are at this moment"))),
      reset_(makeFeatureButton("featuresReset", {}, tr("Reset"), tr("Reset the axes to the first evaluation"),
                               tr("Fit the axes to the points of the first evaluation again"))),
      throttle_(
          kFeatureTurnMs,
          [this] {
              if (isVisible()) bringUp();
          },
          this) {
    setObjectName("featuresView");
    canvas_->setObjectName("featuresCanvas");
    canvas_->setAccessibleName(tr("Feature map, figure"));
    canvas_->setToolTip(
        tr("Each point is a test image as the head sees it; hollow: taken for another class.\n"
           "Each arrow is the head's row of a class: the farther a point lies along it, the higher it is scored. What "
           "the head adds to each class's score besides, its bias, is not drawn.\n"
           "Rings and dashed lines are where points and arrows were when they came."));
    auto* figure = new QWidget;
    figure->setFocusProxy(canvas_);
    styleLabel(words_, text_size::kText, QFont::Normal, true);
    words_->setObjectName("featuresWords");
    auto* column = new QVBoxLayout(figure);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(canvas_, 1);
    column->addWidget(key_);
    column->addWidget(words_);
    pages_ =
        new FigurePages(QStringLiteral("features"), tr("Feature map"), tr("what the head sees"), figure, table_, this);
    for (QToolButton* button : {earlier_, later_, refit_, reset_}) pages_->addHeaderWidget(button);
    connect(earlier_, &QToolButton::clicked, this, [this] { step(-1); });
    connect(later_, &QToolButton::clicked, this, [this] { step(1); });
    connect(refit_, &QToolButton::clicked, this, &FeatureMapView::refit);
    connect(reset_, &QToolButton::clicked, this, &FeatureMapView::reset);
    connect(store_, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(store_, &RunSet::changed, &throttle_, &Throttle::ask);
    connect(cursor_, &CurveCursor::moved, &throttle_, &Throttle::ask);
    connect(histories_, &HistoryStore::predictionsRead, this,
            [this](const QString& run, qint64 samplesSeen, const TestClasses& predictions, const QString&) {
                takePredictions(run, samplesSeen, predictions);
            });
    connect(canvas_, &FeatureCanvas::currentChanged, this, &FeatureMapView::say);
    showNothing({});
}

void FeatureMapView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    // A folder that could not be read may be there again.
    if (!failure_.isEmpty()) run_.clear();
    bringUp();
}

void FeatureMapView::showNothing(const QString& why) {
    asked_.reset();
    predictions_.reset();
    panel()->setCaption(store_->captionFor(store_->selected(), tr("what the head sees")));
    for (QToolButton* button : {earlier_, later_, refit_, reset_}) button->setEnabled(false);
    canvas_->setInvitation(why);
    canvas_->present({});
    key_->setShown({});
    table_->setShown({});
}

void FeatureMapView::bringUp() {
    const ShownRun* run = store_->selected();
    if (!run) return showNothing(tr("Press |{startRun}| to start"));
    if (!HistoryStore::hasFolder(run->id))
        return showNothing(tr("This run keeps no folder, so what its head sees is not recorded."));
    const std::size_t measured = run->points.anytime().size() + run->points.sessionEnds().size();
    // Of a run that is played back everything is there already.
    const bool there = run->id == run_ && measured > measured_ && now_.map && !now_.map->empty() &&
                       now_.map->moments.back() >= run->points.samplesSeen();
    if (there)
        measured_ = measured;
    else if (run->id != run_ || measured != measured_)
        read(run->id, measured);
    if (!failure_.isEmpty()) return showNothing(failure_);
    if (!now_.map) return showNothing(tr("Reading the run folder …"));
    if (!now_.map->empty()) return showRun(*run);
    showNothing(run->inProgress() && measured == 0
                    ? tr("First map at the first evaluation")
                    : tr("This run recorded no features: an older version wrote it, or its method shows none. Start it "
                         "again to see them."));
}

void FeatureMapView::read(const QString& run, std::size_t measured) {
    // What was read of this run stays while the rest is read, unless the run begins anew.
    if (run != run_ || measured < measured_) {
        now_ = {};
        basis_.reset();
    }
    run_ = run;
    measured_ = measured;
    failure_.clear();
    background_.runNewest(
        [folder = run.toStdString(), basis = basis_] {
            auto map = std::make_shared<const FeatureMap>(readFeatureMap(folder));
            const auto at = basis ? std::ranges::find(map->moments, *basis) : map->moments.begin();
            const auto place = at == map->moments.end() ? 0 : static_cast<std::size_t>(at - map->moments.begin());
            auto picture = std::make_shared<const FeaturePicture>(pictureOf(*map, place));
            return Map{std::move(map), std::move(picture)};
        },
        [this](const Map& map) {
            now_ = map;
            bringUp();
        },
        [this](const Failure& failure) {
            failure_ = oneText(failure);
            bringUp();
        });
}

void FeatureMapView::showRun(const ShownRun& run) {
    const std::vector<std::int64_t>& moments = now_.map->moments;
    // Of a run that is played back no more than what is behind it.
    const std::int64_t newest = run.points.samplesSeen();
    std::size_t at = 0;
    if (const CurveCursor::Moment moment = cursor_->moment())
        at = static_cast<std::size_t>(nearestIn(moments, static_cast<double>(*moment)) - moments.begin());
    else
        while (at + 1 < moments.size() && moments[at + 1] <= newest) ++at;
    earlier_->setEnabled(at > 0);
    later_->setEnabled(at + 1 < moments.size());
    const std::size_t basis = now_.picture->basis;
    refit_->setEnabled(basis != at);
    reset_->setEnabled(basis != 0);
    if (asked_ != moments[at]) {
        asked_ = moments[at];
        predictions_.reset();
        histories_->readPredictions(run_, moments[at]);
    }
    const QString axes = basis == 0 ? QString() : tr(", axes of %1").arg(imagesText(moments[basis]));
    panel()->setCaption(store_->captionFor(&run, tr("after %1 seen").arg(imagesText(moments[at])) + axes));
    const FeatureShown shown{now_.map, now_.picture, at, run.facts->class_names, predictions_};
    canvas_->setExperiment(run.facts->experiment);
    canvas_->present(shown);
    key_->setShown(shown);
    table_->setShown(shown);
}

void FeatureMapView::takePredictions(const QString& run, qint64 samplesSeen, const TestClasses& predictions) {
    if (run != run_ || asked_ != samplesSeen || !predictions) return;
    predictions_ = predictions;
    if (isVisible()) bringUp();
}

std::optional<std::int64_t> FeatureMapView::shownMoment() const {
    const FeatureShown& shown = canvas_->shown();
    return shown.empty() ? std::nullopt : std::optional(shown.map->moments[shown.moment]);
}

QString FeatureMapView::sentence() const {
    const FeatureShown& shown = canvas_->shown();
    if (shown.empty()) return {};
    const QString change =
        QString::fromStdString(changeSentence(shown.picture->changes[shown.moment], namesOf(*shown.map, shown.names)));
    if (shown.map->hasHeads()) return change;
    return change + ' ' +
           tr("No arrows: the head of this method has no row for each class that decides alike for all images here.");
}

/// The sentence, or what is under the mouse or the keyboard.
void FeatureMapView::say() {
    const QString whole = sentence();
    const QString spot = canvas_->current() ? canvas_->textOf(*canvas_->current()) : QString();
    words_->setTexts(spot.isEmpty() ? QStringList{whole, whole.section(QStringLiteral("; "), 0, 0)}
                                    : QStringList{spot});
    QStringList parts{spot, whole};
    if (!canvas_->shown().empty()) parts << canvas_->axisTitle(0) << canvas_->axisTitle(1);
    parts.removeAll(QString());
    const QString all = parts.isEmpty() ? canvas_->invitation() : parts.join(QStringLiteral(". "));
    canvas_->setAccessibleDescription(all);
    setAccessibleDescription(all);
}

void FeatureMapView::step(int direction) {
    if (!now_.map || canvas_->shown().empty()) return;
    const std::vector<std::int64_t>& moments = now_.map->moments;
    const auto last = std::ssize(moments) - 1;
    const auto at =
        std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(canvas_->shown().moment) + direction, 0, last);
    // At the newest one, those to come are followed again.
    cursor_->pin(at == last ? CurveCursor::Moment() : moments[static_cast<std::size_t>(at)]);
    bringUp();
}

void FeatureMapView::setBasis(std::optional<std::int64_t> basis) {
    basis_ = basis;
    if (!now_.map || now_.map->empty()) return;
    const auto at = basis ? std::ranges::find(now_.map->moments, *basis) : now_.map->moments.begin();
    const auto place = at == now_.map->moments.end() ? 0 : static_cast<std::size_t>(at - now_.map->moments.begin());
    background_.runNewest(
        [map = now_.map, place, before = now_.picture] {
            return Map{map, std::make_shared<const FeaturePicture>(pictureOf(*map, place, before->changes))};
        },
        [this](const Map& map) {
            now_ = map;
            bringUp();
        });
}

void FeatureMapView::refit() {
    setBasis(shownMoment());
}

void FeatureMapView::reset() {
    setBasis(std::nullopt);
}

std::function<report::Publication()> FeatureMapView::source() const {
    const FeatureShown& shown = canvas_->shown();
    if (shown.empty()) return {};
    return [words = publishedFeatures(), map = shown.map, picture = shown.picture,
            names = namesOf(*shown.map, shown.names)] {
        return onePiece(words, std::nullopt, QString::fromStdString(featureTable(*map, *picture, names)));
    };
}

}  // namespace palimpsest
