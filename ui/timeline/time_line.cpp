// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_line.h"

#include <QAction>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "engine/record/checkpoints.h"
#include "ui/commands/action_book.h"
#include "ui/plots/run_axis.h"
#include "ui/state/history_store.h"
#include "ui/state/run_label.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/timeline/time_track.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kTrackShare = 2;   // of the row, to one of what stands beside it
constexpr int kAllOfIt = 1000;   // likewise, where the figure says how wide the track is
constexpr int kLeastWords = 40;  // pixels, for a number of images
constexpr int kWordsRoom = 4;    // pixels beside them
/// Share of a figure's image axis. A run that takes less of it, beside a much longer one, could not be gone through
/// below it: a few pixels would hold all of its evaluations.
constexpr double kLeastPart = 0.25;
constexpr int kTurnMs = 100, kListingMs = 2000;

std::int64_t lengthOf(const ShownRun& run) {
    return std::max(run.facts->total_samples, run.points.samplesSeen());
}

}  // namespace

TimeLine::TimeLine(RunSet* store, CurveCursor* cursor, QWidget* parent)
    : QFrame(parent),
      store_(store),
      cursor_(cursor),
      track_(new TimeTrack),
      side_(new QWidget),
      label_(new FittingLabel),
      row_(new QBoxLayout(QBoxLayout::LeftToRight, this)),
      side_row_(new QHBoxLayout(side_)),
      throttle_(
          kTurnMs, [this] { refresh(); }, this),
      lister_(
          kListingMs, [this] { listFolder(); }, this) {
    setObjectName(QStringLiteral("timeLine"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    label_->setObjectName(QStringLiteral("timeLineWords"));
    styleLabel(label_, text_size::kText, QFont::Normal, true);
    // Its share of the row is the same for any text, so that the track keeps its width.
    label_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    label_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row_->setContentsMargins(spacing::kRow, 0, spacing::kMargin, 0);
    row_->setSpacing(spacing::kRow);
    row_->addWidget(track_, kTrackShare);
    row_->addWidget(side_, 1);
    side_row_->setContentsMargins(0, 0, 0, 0);
    side_row_->setSpacing(spacing::kRow);
    side_row_->addStretch(1);
    side_row_->addWidget(label_, kAllOfIt);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);

    connect(track_, &TimeTrack::chosen, this, [this](qint64 moment) { cursor_->pin(moment); });
    connect(track_, &TimeTrack::released, this, [this] { cursor_->pin(std::nullopt); });
    connect(track_, &TimeTrack::hovered, this,
            [this](std::optional<qint64> moment) { hover(CurveCursor::Moment(moment)); });
    connect(cursor_, &CurveCursor::moved, this, &TimeLine::updateMoment);
    connect(store_, &RunSet::runsChanged, this, [this] {
        updateRun();
        throttle_.ask();
    });
    connect(store_, &RunSet::changed, this, [this](const QString& run) {
        if (run != run_) return;
        throttle_.ask();
        lister_.ask();  // they are written beside the evaluations
    });
    connect(store_, &RunSet::progressed, this, [this](const QString& id) {
        if (id == run_) track_->setSeen(store_->find(id)->points.learned());
    });
    fitToText(this, [this] {
        fit();
        align();
    });
    updateRun();
    refresh();
}

void TimeLine::addEnd(QAction* action) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setObjectName(QStringLiteral("timeLine.") + action->objectName());
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setProperty("link", true);
    button->setFocusPolicy(Qt::TabFocus);
    const auto update = [button, action] {
        const QString words = action->text().remove('&');
        button->setAccessibleName(words);
        button->setToolTip(ActionBook::tip(words, action));
    };
    connect(action, &QAction::changed, button, update);  // the user may change its keys
    update();
    side_row_->addWidget(button, 0, Qt::AlignVCenter);
    ends_.append(button);
    align();
}

void TimeLine::showEnds(bool shown) {
    for (QToolButton* button : ends_) button->setVisible(shown);
}

/// A moment that was put down stays what the figures show; then the track alone says where the mouse is.
void TimeLine::hover(CurveCursor::Moment moment) {
    const bool put_down = cursor_->pinned().has_value();
    hovered_ = put_down ? moment : std::nullopt;
    cursor_->hover(put_down ? std::nullopt : moment);
    updateMoment();
}

void TimeLine::alignTo(const Span& span) {
    if (span == span_ || span.right <= span.left || span.images <= 0) return;
    span_ = span;
    align();
}

void TimeLine::widen(int pixels) {
    if (!span_) return;
    Span span = *span_;
    span.right += pixels;
    alignTo(span);
}

void TimeLine::align() {
    const ShownRun* run = store_->find(run_);
    if (!span_ || !run) return;
    const Span span = *span_;
    const QRect inside = contentsRect().marginsRemoved(row_->contentsMargins());
    const double from = inside.left(), end = span.right + TimeTrack::edge();
    const double beside = inside.right() + 1 - spacing::kRow - end;
    double buttons = 0;
    for (const QToolButton* button : ends_) buttons += button->sizeHint().width() + spacing::kRow;
    const bool narrow = beside < buttons + scaled(kLeastWords);
    // Large text leaves no height for a second row: the words, which readouts say as well, leave instead.
    const bool above = narrow && (TextScale::instance().factor() <= 1 || beside < buttons);
    label_->setVisible(above || !narrow);
    // What becomes visible can lay the figure out anew: then it was aligned to that meanwhile.
    if (span_ != span) return;
    row_->setDirection(above ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
    row_->setSpacing(above ? 0 : spacing::kRow);
    row_->setStretchFactor(track_, above ? 0 : kAllOfIt);
    row_->setStretchFactor(side_, above ? 0 : 1);
    track_->setMaximumWidth(above ? QWIDGETSIZE_MAX : static_cast<int>(std::ceil(end - from)));
    // The run may be shorter than another one in the figure.
    const double share = static_cast<double>(lengthOf(*run)) / span.images;
    const double part = share < kLeastPart ? 1 : std::min(1.0, share);
    const double first = span.left - from;
    track_->setSpan(std::pair(first, first + part * (span.right - span.left)));
}

void TimeLine::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    align();
}

/// Both lists only grow, and may be long: what is known is not looked at again.
void TimeLine::appendEvaluations(const ShownRun& run) {
    if (listed_.run != run.id || listed_.generation != run.generation ||
        run.points.anytime().size() < listed_.anytime || run.points.sessionEnds().size() < listed_.ends)
        listed_ = {run.id, run.generation, 0, 0, {}};
    std::vector<std::int64_t>& places = listed_.places;
    const auto add = [&places](const std::vector<AnytimePoint>& points, std::size_t& known) {
        for (; known < points.size(); ++known) {
            const std::int64_t place = points[known].samples_seen;
            const auto at = std::lower_bound(places.begin(), places.end(), place);
            if (at == places.end() || *at != place) places.insert(at, place);
        }
    };
    add(run.points.anytime(), listed_.anytime);
    add(run.points.sessionEnds(), listed_.ends);
}

void TimeLine::showNow() {
    throttle_.forget();
    refresh();
}

void TimeLine::fit() {
    const ShownRun* run = store_->find(run_);
    QString widest;
    if (run) {
        const QString all = countText(lengthOf(*run));
        widest = tr("%1 of %2 images, session %3").arg(all, all).arg(run->facts->sessions());
    }
    const QFontMetrics metrics(textFont(label_->font(), text_size::kText));
    label_->setMaximumWidth(metrics.horizontalAdvance(widest) + scaled(kWordsRoom));
}

void TimeLine::updateMoment() {
    const ShownRun* run = store_->find(run_);
    const CurveCursor::Moment chosen = cursor_->pinned();
    if (!chosen) hovered_.reset();
    const CurveCursor::Moment hovered = hovered_ ? hovered_ : cursor_->moment();
    track_->setMoments(chosen, hovered != chosen ? hovered : std::nullopt);
    QStringList texts;
    if (const CurveCursor::Moment shown = chosen ? chosen : cursor_->moment(); run && shown) {
        const std::int64_t images = std::min(*shown, lengthOf(*run));
        // At a border, the session that has just ended.
        const auto before = static_cast<std::int64_t>(sessionPlace(*run, static_cast<double>(images) - 0.5));
        const QString session = QString::number(std::max<std::int64_t>(0, before) + 1);
        texts = {tr("%1 of %2 images, session %3").arg(countText(images), countText(lengthOf(*run)), session),
                 tr("%1, session %2").arg(countText(images), session), countText(images)};
    } else if (run) {
        texts = {tr("Now")};
    }
    text_ = texts.value(0);
    label_->setTexts(texts);
    track_->setAccessibleDescription(text_);
    setAccessibleDescription(text_);
    if (chosen == emitted_) return;
    emitted_ = chosen;
    Q_EMIT momentChosen(chosen ? std::optional<qint64>(*chosen) : std::nullopt);
}

/// At once: whoever chooses a moment of it next must not be undone.
void TimeLine::updateRun() {
    const ShownRun* run = store_->selected();
    const QString id = run ? run->id : QString();
    const bool goes_on = run && run->inProgress();
    const bool begins = goes_on && (id != run_ || !went_on_);
    if (id != run_) {
        run_ = id;
        checkpoints_.clear();
        fit();
        lister_.forget();
        lister_.ask();
    } else if (went_on_ && !goes_on) {
        lister_.ask();
    }
    went_on_ = goes_on;
    // A run that begins is followed; between recorded runs the moment stays, so that they can be compared.
    if ((!run || begins) && cursor_->pinned()) cursor_->pin(std::nullopt);
}

void TimeLine::refresh() {
    const ShownRun* run = store_->find(run_);
    TimeTrackContent content;
    if (run) {
        content.total = lengthOf(*run);
        content.seen = run->points.learned();
        content.starts = run->facts->session_starts;
        appendEvaluations(*run);
        content.evaluations = listed_.places;
        content.checkpoints = checkpoints_;
        for (const LiveChange& change : run->changes)
            content.changes.push_back({change.at, changeText(store_->table(), change)});
    }
    if (run)
        for (const PlateauPoint& plateau : run->plateaus)
            content.plateaus.push_back({plateau.samples_seen, plateau.update});
    track_->setContent(std::move(content));
    setEnabled(run != nullptr);
    align();
    updateMoment();
}

void TimeLine::listFolder() {
    const QString run = run_;
    if (!HistoryStore::hasFolder(run)) return;
    background_.run(
        [run] {
            std::vector<std::int64_t> found = listCheckpoints(run.toStdString());
            std::reverse(found.begin(), found.end());
            return found;
        },
        [this, run](const std::vector<std::int64_t>& found) {
            if (run != run_ || found == checkpoints_) return;
            checkpoints_ = found;
            throttle_.ask();
        },
        [](const Failure&) {
            // Those that are known stay; where the folder is needed, it is said.
        });
}

}  // namespace palimpsest
