// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/watched_strip.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPainterPath>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "engine/run/dataset_service.h"
#include "engine/support/own_drawings.h"
#include "ui/state/curve_options.h"
#include "ui/state/engine_text.h"
#include "ui/state/history_store.h"
#include "ui/state/run_set.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kWatchedTurnMs = 150, kWatchedPicture = 40, kWatchedRoom = 12, kPlotWidth = 320, kLeastPlot = 140;

/// "7" or what stands for a class that has not come.
QString watchedName(const ClassNames& classes, std::int32_t label) {
    return label < 0 ? WatchedPlot::tr("a class that has not come yet") : classes.name(label);
}

QString wholePercent(double probability) {
    // Never certain, and never impossible.
    if (probability > 0.995 && probability < 1) return WatchedPlot::tr("over 99 %");
    if (probability < 0.005 && probability > 0) return WatchedPlot::tr("under 1 %");
    return WatchedPlot::tr("%1 %").arg(qRound(100 * probability));
}

}  // namespace

WatchedPlot::WatchedPlot(QWidget* parent) : TipWidget(parent) {
    setObjectName("watchedPlot");
    setAccessibleName(tr("Probability of the test drawing's class"));
    setToolTip(tr("How sure the network is that the test drawing shows your class, at each evaluation"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    fitToText(this, [this] { updateGeometry(); });
}

QSize WatchedPlot::sizeHint() const {
    return {scaled(kPlotWidth), scaled(kWatchedPicture)};
}

QSize WatchedPlot::minimumSizeHint() const {
    return {scaled(kLeastPlot), scaled(kWatchedPicture)};
}

QString WatchedPlot::shares(const ClassNames& classes, const WatchedMoment& moment) {
    std::vector<WatchedShare> sorted = moment.shares;
    std::ranges::stable_sort(sorted, std::greater(), &WatchedShare::probability);
    QStringList words;
    for (const WatchedShare& share : sorted)
        words.append(tr("%1 %2").arg(watchedName(classes, share.label), wholePercent(share.probability)));
    return words.join(", ");
}

void WatchedPlot::setContent(const Content& content) {
    if (content == content_) return;
    content_ = content;
    const auto& moments = content_.image.moments;
    setAccessibleDescription(content_.moment < moments.size() ? shares(content_.classes, moments[content_.moment])
                                                              : QString());
    update();
}

QPointF WatchedPlot::pointAt(const WatchedMoment& moment, double probability) const {
    const QRectF area = QRectF(rect()).adjusted(2, 3, -4, -2);
    const double share =
        static_cast<double>(moment.samples_seen) / static_cast<double>(std::max<std::int64_t>(1, content_.total));
    return {area.left() + std::clamp(share, 0.0, 1.0) * area.width(), area.bottom() - probability * area.height()};
}

QString WatchedPlot::textAt(const QPoint& point) const {
    const auto& moments = content_.image.moments;
    if (content_.moment >= moments.size()) return {};
    const auto distance = [&](const WatchedMoment& moment) { return std::abs(pointAt(moment, 0).x() - point.x()); };
    const auto nearest = std::ranges::min_element(
        moments.begin(), moments.begin() + static_cast<std::ptrdiff_t>(content_.moment) + 1, {}, distance);
    return tr("After %1 images: %2").arg(countText(nearest->samples_seen), shares(content_.classes, *nearest));
}

void WatchedPlot::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(2, 3, -4, -2);
    painter.setPen(QPen(theme.line, theme.weight));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(QPen(theme.line, theme.weight, Qt::DotLine));
    painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()));
    for (const std::int64_t start : content_.session_starts)
        if (start > 0 && content_.total > 0) {
            const double x =
                area.left() + area.width() * static_cast<double>(start) / static_cast<double>(content_.total);
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        }
    const auto& moments = content_.image.moments;
    if (content_.moment >= moments.size()) return;
    QPolygonF own, other;
    for (std::size_t i = 0; i <= content_.moment; ++i) {
        own.append(pointAt(moments[i], moments[i].shares[0].probability));
        if (moments[i].shares.size() > 1) other.append(pointAt(moments[i], moments[i].shares[1].probability));
    }
    QPolygonF ground = own;
    ground.prepend({own.first().x(), area.bottom()});
    ground.append({own.last().x(), area.bottom()});
    QColor shade = theme.accent;
    shade.setAlphaF(0.18F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(shade);
    painter.drawPolygon(ground);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.quiet, 1.5 * theme.weight, Qt::DashLine));
    painter.drawPolyline(other);
    painter.setPen(QPen(theme.accent, 2 * theme.weight, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(own);
    painter.setBrush(moments[content_.moment].recognised() ? QBrush(theme.accent) : QBrush(theme.panel));
    painter.drawEllipse(own.last(), 3.0, 3.0);
}

/// The drawing itself.
class WatchedStrip::Picture : public QWidget {
public:
    explicit Picture(PictureLoader* pictures) : pictures_(pictures) {
        setObjectName("watchedPicture");
        fitToText(this, [this] { setFixedSize(scaled(kWatchedPicture), scaled(kWatchedPicture)); });
    }
    void setSample(const KeptSample& sample) {
        sample_ = sample;
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const QImage* picture = sample_.sample >= 0 ? pictures_->picture(sample_) : nullptr;
        if (picture && !picture->isNull())
            painter.drawImage(rect(), *picture);
        else
            painter.fillRect(rect(), Theme::of(this).raised);
        // White paper ends where the white panel begins.
        painter.setPen(Theme::of(this).line);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }

private:
    PictureLoader* pictures_;
    KeptSample sample_{-1, 0};
};

WatchedStrip::WatchedStrip(FigureState& state, std::shared_ptr<const DatasetService> service, QWidget* parent)
    : QFrame(parent),
      state_(state),
      pictures_(new PictureLoader(std::move(service), this)),
      picture_(new Picture(pictures_)),
      words_(new FittingLabel),
      plot_(new WatchedPlot),
      next_(makeLink("nextWatched", tr("Next"), tr("The test drawing of your next class"))),
      throttle_(
          kWatchedTurnMs, [this] { refresh(); }, this) {
    setObjectName("watchedStrip");
    setAccessibleName(tr("Test drawing"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    styleLabel(words_, text_size::kText, QFont::Normal, false);
    words_->setObjectName("watchedWords");
    QToolButton* close = makeLink("hideWatched", tr("Hide"), tr("Hide the test drawing until the next run begins"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kWatchedRoom / 2, kWatchedRoom / 2, kWatchedRoom / 2, kWatchedRoom / 2);
    row->setSpacing(spacing::kGap);
    row->addWidget(picture_);
    row->addWidget(words_, 2);
    row->addWidget(plot_, 1);
    for (QToolButton* button : {next_, close}) {
        button->setFocusPolicy(Qt::TabFocus);
        row->addWidget(button);
    }
    fitToText(this, [this] { setFixedHeight(scaled(kWatchedPicture) + kWatchedRoom + 2); });
    connect(next_, &QToolButton::clicked, this, [this] {
        ++shown_;
        refresh();
    });
    connect(close, &QToolButton::clicked, this, [this] {
        dismissed_ = true;
        begun_.clear();
        refresh();
    });
    connect(pictures_, &PictureLoader::arrived, picture_, qOverload<>(&QWidget::update));
    connect(&state_.runs, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(&state_.runs, &RunSet::changed, &throttle_, &Throttle::ask);
    connect(&state_.cursor, &CurveCursor::moved, &throttle_, &Throttle::ask);
    hide();
}

void WatchedStrip::begin(const QString& run) {
    begun_ = run;
    throttle_.ask();
}

void WatchedStrip::forgetPictures() {
    pictures_->forget();
}

void WatchedStrip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) plot_->update();
}

void WatchedStrip::refresh() {
    const ShownRun* run = state_.runs.selected();
    if (!run || (dismissed_ && run->id != begun_) || run->facts->experiment.stream.dataset != kOwnDrawings ||
        !HistoryStore::hasFolder(run->id))
        return hide();
    const std::size_t measured = run->points.anytime().size() + run->points.sessionEnds().size();
    if (run->id != run_ || measured != measured_) read(*run, measured);
    showImage(*run);
}

void WatchedStrip::read(const ShownRun& run, std::size_t measured) {
    if (run.id != run_ || measured < measured_) {
        images_.clear();
        problem_.clear();
    }
    run_ = run.id;
    measured_ = measured;
    reading_.runNewest(
        [folder = run.id.toStdString()] {
            std::vector<std::string> warnings;
            std::vector<WatchedImage> images = readWatched(folder, &warnings);
            return std::pair(std::move(images), std::move(warnings));
        },
        [this](const std::pair<std::vector<WatchedImage>, std::vector<std::string>>& read) {
            const auto& [images, warnings] = read;
            images_ = images;
            problem_ = images.empty() && !warnings.empty() ? QString::fromStdString(warnings.front()) : QString();
            showRead();
        },
        [this](const Failure& failure) {
            images_.clear();
            problem_ = oneText(failure);
            showRead();
        });
}

void WatchedStrip::showRead() {
    // Hidden meanwhile, it stays so.
    const ShownRun* selected = state_.runs.selected();
    if (selected && selected->id == run_) refresh();
}

QStringList WatchedStrip::words(const ShownRun& run, const WatchedImage& image, std::size_t moment) const {
    const ClassNames& classes = run.facts->class_names;
    const QString name = classes.name(image.label);
    if (moment >= image.moments.size()) return {tr("%1: not tested yet.").arg(name)};
    const WatchedMoment& now = image.moments[moment];
    const QString own = wholePercent(now.shares[0].probability);
    if (now.recognised()) {
        QStringList others;
        for (std::size_t i = 1; i < now.shares.size(); ++i)
            others.append(
                tr("%1 %2").arg(watchedName(classes, now.shares[i].label), wholePercent(now.shares[i].probability)));
        const QString brief = tr("%1: recognised, %2.").arg(name, own);
        if (others.isEmpty()) return {brief};
        return {tr("%1 Then %2.").arg(brief, others.join(", ")), brief};
    }
    const QString taken =
        tr("taken for %1, %2; %3 %4")
            .arg(watchedName(classes, now.best().label), wholePercent(now.best().probability), name, own);
    const std::size_t since = image.forgottenSince(moment);
    if (since >= image.moments.size())
        return {tr("%1: not recognised yet, %2.").arg(name, taken), tr("%1: not recognised yet.").arg(name)};
    const std::int64_t seen = image.moments[since].samples_seen;
    // A measurement where a session begins is of the one before.
    const auto& starts = run.facts->session_starts;
    const auto session = std::max<std::ptrdiff_t>(1, std::ranges::lower_bound(starts, seen) - starts.begin());
    const QString brief = tr("%1: forgotten since session %2").arg(name).arg(session);
    return {tr("%1 (image %2), %3.").arg(brief, countText(seen), taken), brief + '.'};
}

void WatchedStrip::showImage(const ShownRun& run) {
    next_->setVisible(images_.size() > 1);
    if (images_.empty()) {
        picture_->setSample({-1, 0});
        plot_->setContent({});
        if (!problem_.isEmpty()) {
            words_->setTexts({tr("The test drawings cannot be read: %1").arg(problem_)});
            return show();
        }
        words_->setTexts({run.inProgress()
                              ? tr("Your test drawing is shown to the network at every evaluation, and never "
                                   "learned.")
                              : tr("This run did not record its test drawings.")});
        setVisible(run.inProgress());
        return;
    }
    const WatchedImage& image = images_[shown_ % images_.size()];
    // A run that is played again is as far as its curves are.
    const std::size_t moment = image.momentUpTo(state_.cursor.moment().value_or(run.points.samplesSeen()));
    pictures_->setSource(run.facts->experiment, scaled(kWatchedPicture), devicePixelRatioF(),
                         PictureLoader::Part::Test);
    picture_->setSample({image.image, image.label});
    words_->setTexts(words(run, image, moment));
    plot_->setContent({image, run.facts->class_names, run.facts->total_samples, run.facts->session_starts, moment});
    show();
}

}  // namespace palimpsest
