// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/feature_canvas.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "engine/run/dataset_service.h"
#include "ui/plots/label_layout.h"
#include "ui/state/key_names.h"
#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/picture_loader.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr double kMarkerRadius = 3.6;  // pixels in the normal text size
constexpr double kSpotReach = 12;      // pixels from the mouse
constexpr double kFeatureGap = 6;      // pixels between what stands beside each other
constexpr double kMoved = 1;           // pixels; less cannot be seen
constexpr double kArrowHead = 8;       // pixels of its sides
constexpr double kWideEnough = 0.06;   // of the box, left free around it
constexpr double kHalo = 2;            // pixels of ground around a name's letters
constexpr double kLeaderFrom = 14;     // pixels from a name to what it names; a line leads over more
constexpr int kNameWidth = 130;        // pixels of a class's name
constexpr int kPictureSide = 56;       // pixels of an image beside its point
constexpr int kMostTicks = 6;          // along the shorter side

QFont featureFont(const QWidget& widget) {
    return textFont(widget.font(), text_size::kCaption);
}

/// 1, 2 or 5 times a power of ten, so that there are about so many steps.
double niceStep(double length, int steps) {
    const double raw = length / std::max(1, steps), power = std::pow(10, std::floor(std::log10(raw)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw) return factor * power;
    return 10 * power;
}

void drawArrow(QPainter& painter, const QPointF& from, const QPointF& to) {
    painter.drawLine(from, to);
    const QPointF along = to - from;
    const double length = std::hypot(along.x(), along.y());
    if (length < 1) return;
    const QPointF unit = along / length, across(-unit.y(), unit.x());
    const double head = std::min(kArrowHead, length / 2);
    painter.drawLine(to, to - unit * head + across * (head * 0.5));
    painter.drawLine(to, to - unit * head - across * (head * 0.5));
}

QString degreesText(double degrees) {
    return QString::number(std::lround(degrees)) + QStringLiteral("°");
}

}  // namespace

QColor featureColour(const Theme& theme, std::size_t place) {
    return theme.series[place % theme.series.size()];
}

MarkerShape featureMarker(std::size_t place) {
    // Of two classes with one colour, the markers differ.
    return markerOf(static_cast<int>((place + 2 * (place / 5)) % 5));
}

std::int32_t FeatureShown::answer(std::size_t point) const {
    const auto image = static_cast<std::size_t>(map->points[point].image);
    return predictions && image < predictions->size() ? (*predictions)[image] : kNotTested;
}

FeatureCanvas::FeatureCanvas(std::shared_ptr<const DatasetService> service, QWidget* parent)
    : TipWidget(parent), pictures_(new PictureLoader(service, this)), has_pictures_(service != nullptr) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&KeyNames::instance(), &KeyNames::changed, this, qOverload<>(&QWidget::update));
    connect(pictures_, &PictureLoader::arrived, this, qOverload<>(&QWidget::update));
}

void FeatureCanvas::present(const FeatureShown& shown) {
    shown_ = shown;
    if (current_ && !pixelsOf(*current_)) current_.reset();
    Q_EMIT currentChanged();
    update();
}

void FeatureCanvas::setExperiment(const Experiment& experiment) {
    pictures_->setSource(experiment, scaled(kPictureSide), devicePixelRatioF(), PictureLoader::Part::Test);
}

QString FeatureCanvas::invitation() const {
    return KeyNames::instance().filled(invitation_);
}

void FeatureCanvas::setInvitation(const QString& text) {
    if (text == invitation_) return;
    invitation_ = text;
    update();
}

QString FeatureCanvas::axisTitle(std::size_t axis) const {
    if (shown_.empty()) return {};
    const long share = std::lround(100 * shown_.picture->axes.share[axis]);
    return axis == 0 ? tr("1st principal axis (%1 % of variance)").arg(share)
                     : tr("2nd principal axis (%1 % of variance)").arg(share);
}

QRectF FeatureCanvas::area() const {
    const double line = std::ceil(QFontMetricsF(featureFont(*this)).height());
    const double edge = 2 * line + 2 * kFeatureGap;  // tick labels and a title
    return QRectF(QPointF(), QSizeF(size())).adjusted(edge + line, kFeatureGap, -kFeatureGap, -edge);
}

QTransform FeatureCanvas::toPixels() const {
    const auto& [left, right, bottom, top] = shown_.picture->box;
    const QRectF into = area();
    const double wide = std::max(right - left, 1e-12) * (1 + 2 * kWideEnough);
    const double high = std::max(top - bottom, 1e-12) * (1 + 2 * kWideEnough);
    const double scale = std::max(1e-12, std::min(into.width() / wide, into.height() / high));
    const QPointF middle = into.center();
    // y goes up.
    return QTransform(scale, 0, 0, -scale, middle.x() - scale * (left + right) / 2,
                      middle.y() + scale * (bottom + top) / 2);
}

std::optional<QPointF> FeatureCanvas::placeOf(const std::vector<FeaturePicture::Place>& places, std::size_t i) const {
    if (i >= places.size() || !std::isfinite(places[i][0]) || !std::isfinite(places[i][1])) return std::nullopt;
    return toPixels().map(QPointF(places[i][0], places[i][1]));
}

std::optional<QPointF> FeatureCanvas::pixelsOf(const Spot& spot) const {
    if (shown_.empty()) return std::nullopt;
    const FeaturePicture& picture = *shown_.picture;
    return placeOf(spot.arrow ? picture.arrows[shown_.moment] : picture.points[shown_.moment], spot.place);
}

std::size_t FeatureCanvas::classOf(std::size_t point) const {
    const std::vector<std::int32_t>& classes = shown_.map->classes;
    const auto at = std::ranges::find(classes, shown_.map->points[point].label);
    return static_cast<std::size_t>(at - classes.begin());
}

std::optional<FeatureCanvas::Spot> FeatureCanvas::spotAt(const QPointF& point) const {
    if (shown_.empty()) return std::nullopt;
    std::optional<Spot> nearest;
    double least = kSpotReach;
    const auto offer = [&](const Spot& spot) {
        const auto place = pixelsOf(spot);
        if (!place) return;
        const double apart = std::hypot(place->x() - point.x(), place->y() - point.y());
        if (apart >= least) return;
        least = apart;
        nearest = spot;
    };
    for (std::size_t i = 0; i < shown_.map->classes.size(); ++i) offer({true, i});
    for (std::size_t i = 0; i < shown_.map->points.size(); ++i) offer({false, i});
    return nearest;
}

QString FeatureCanvas::textOf(const Spot& spot) const {
    if (shown_.empty()) return {};
    const FeatureMap& map = *shown_.map;
    if (spot.arrow) {
        const QString name = shown_.names.name(map.classes[spot.place]);
        const auto turned = headTurn(map, shown_.moment, spot.place);
        if (!turned) return tr("Arrow of %1").arg(name);
        return *turned == 0 ? tr("Arrow of %1: as it was when it came").arg(name)
                            : tr("Arrow of %1: turned by %2 since it came").arg(name, degreesText(*turned));
    }
    const FeatureMap::Point& point = map.points[spot.place];
    QString text = tr("%1, test image %2").arg(shown_.names.name(point.label), countText(point.image));
    const std::int32_t answer = shown_.answer(spot.place);
    if (answer == point.label)
        text += tr(", recognised");
    else if (answer >= 0)
        text += tr(", taken for %1").arg(shown_.names.name(answer));
    else if (answer == kNoClassYet)
        text += tr(", taken for no class yet");
    return text;
}

QString FeatureCanvas::textAt(const QPoint& point) const {
    const auto spot = spotAt(point);
    return spot ? textOf(*spot) : QString();
}

void FeatureCanvas::setCurrent(std::optional<Spot> spot) {
    if (spot == current_) return;
    current_ = spot;
    Q_EMIT currentChanged();
    update();
}

bool FeatureCanvas::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride) {
        // Left and Right walk here if the user came by keyboard; after a click they steer the run, and walk with
        // Shift.
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool sideways = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
        const Qt::KeyboardModifiers held = key->modifiers() & ~Qt::KeypadModifier;
        if (sideways && (held == Qt::ShiftModifier || (held == Qt::NoModifier && tabbed_))) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) update();
    return TipWidget::event(event);
}

void FeatureCanvas::focusInEvent(QFocusEvent* event) {
    const bool by_window = event->reason() == Qt::ActiveWindowFocusReason || event->reason() == Qt::PopupFocusReason;
    if (!by_window) tabbed_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
    TipWidget::focusInEvent(event);
}

void FeatureCanvas::focusOutEvent(QFocusEvent* event) {
    TipWidget::focusOutEvent(event);
    update();
}

void FeatureCanvas::walk(int classes, int points) {
    // Points that are there, by class.
    std::vector<std::vector<std::size_t>> by_class(shown_.map->classes.size());
    for (std::size_t i = 0; i < shown_.map->points.size(); ++i)
        if (pixelsOf({false, i})) by_class[classOf(i)].push_back(i);
    std::erase_if(by_class, [](const auto& all) { return all.empty(); });
    if (by_class.empty()) return;
    if (!current_ || current_->arrow) return setCurrent(Spot{false, by_class.front().front()});
    for (std::size_t k = 0; k < by_class.size(); ++k) {
        const auto at = std::ranges::find(by_class[k], current_->place);
        if (at == by_class[k].end()) continue;
        const std::ptrdiff_t to =
            std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(k) + classes, 0, std::ssize(by_class) - 1);
        const std::vector<std::size_t>& next = by_class[static_cast<std::size_t>(to)];
        const std::ptrdiff_t place =
            std::clamp<std::ptrdiff_t>(at - by_class[k].begin() + points, 0, std::ssize(next) - 1);
        return setCurrent(Spot{false, next[static_cast<std::size_t>(place)]});
    }
}

void FeatureCanvas::keyPressEvent(QKeyEvent* event) {
    if (shown_.empty() || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier))
        return TipWidget::keyPressEvent(event);
    switch (event->key()) {
        case Qt::Key_Up:
            return walk(-1, 0);
        case Qt::Key_Down:
            return walk(1, 0);
        case Qt::Key_Left:
            return walk(0, -1);
        case Qt::Key_Right:
            return walk(0, 1);
        case Qt::Key_Escape:
            if (current_) return setCurrent(std::nullopt);
            break;
        default:
            break;
    }
    TipWidget::keyPressEvent(event);
}

void FeatureCanvas::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    tabbed_ = false;  // also where it had the focus before
    setCurrent(spotAt(event->position()));
}

void FeatureCanvas::mouseMoveEvent(QMouseEvent* event) {
    setCurrent(spotAt(event->position()));
}

void FeatureCanvas::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::of(this);
    painter.fillRect(rect(), theme.panel);
    painter.setRenderHint(QPainter::Antialiasing);
    if (shown_.empty()) {
        drawEmptyState(painter, QRectF(rect()), font(), theme, invitation_);
    } else {
        drawAxes(painter, theme);
        painter.save();
        painter.setClipRect(area());
        drawPoints(painter, theme);
        drawArrows(painter, theme);
        painter.restore();
        drawNames(painter, theme);
        drawCurrent(painter, theme);
    }
    if (hasFocus()) paintFocusRing(painter, rect(), theme);
}

void FeatureCanvas::drawAxes(QPainter& painter, const Theme& theme) const {
    const QRectF into = area();
    const QTransform to = toPixels();
    const QTransform from = to.inverted();
    const QFont font = featureFont(*this);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setBrush(Qt::NoBrush);
    const QPointF low = from.map(into.bottomLeft()), high = from.map(into.topRight());
    const double room = 4 * metrics.height();
    const int steps =
        std::clamp(static_cast<int>(std::min(into.width(), into.height()) / std::max(1.0, room)), 1, kMostTicks);
    const double step = niceStep(std::min(high.x() - low.x(), high.y() - low.y()), steps);
    const auto text = [step](double value) {
        const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step))));
        return QString::number(std::abs(value) < step / 2 ? 0.0 : value, 'f', std::min(decimals, 6))
            .replace(QLatin1Char('-'), QChar(0x2212));
    };
    for (double x = std::ceil(low.x() / step) * step; x <= high.x(); x += step) {
        const double pixel = to.map(QPointF(x, 0)).x();
        painter.setPen(QPen(theme.line, std::abs(x) < step / 2 ? 1.5 * theme.weight : 0.5 * theme.weight));
        painter.drawLine(QPointF(pixel, into.top()), QPointF(pixel, into.bottom()));
        painter.setPen(theme.quiet);
        painter.drawText(QRectF(pixel - room, into.bottom() + 2, 2 * room, metrics.height()), Qt::AlignHCenter,
                         text(x));
    }
    for (double y = std::ceil(low.y() / step) * step; y <= high.y(); y += step) {
        const double pixel = to.map(QPointF(0, y)).y();
        painter.setPen(QPen(theme.line, std::abs(y) < step / 2 ? 1.5 * theme.weight : 0.5 * theme.weight));
        painter.drawLine(QPointF(into.left(), pixel), QPointF(into.right(), pixel));
        painter.setPen(theme.quiet);
        painter.drawText(QRectF(into.left() - room - kFeatureGap, pixel - metrics.height() / 2, room, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, text(y));
    }
    painter.setPen(theme.quiet);
    painter.drawText(QRectF(into.left(), height() - metrics.height() - 2, into.width(), metrics.height()),
                     Qt::AlignHCenter, metrics.elidedText(axisTitle(0), Qt::ElideRight, into.width()));
    painter.save();
    painter.translate(2, into.bottom());
    painter.rotate(-90);
    painter.drawText(QRectF(0, 0, into.height(), metrics.height()), Qt::AlignHCenter,
                     metrics.elidedText(axisTitle(1), Qt::ElideRight, into.height()));
    painter.restore();
}

void FeatureCanvas::drawPoints(QPainter& painter, const Theme& theme) const {
    const FeaturePicture& picture = *shown_.picture;
    const double radius = scaled(kMarkerRadius) * std::sqrt(theme.weight);
    for (std::size_t i = 0; i < shown_.map->points.size(); ++i) {
        const auto now = pixelsOf({false, i}), first = placeOf(picture.first, i);
        if (!now || !first || std::hypot(now->x() - first->x(), now->y() - first->y()) < kMoved) continue;
        QColor faint = featureColour(theme, classOf(i));
        faint.setAlphaF(0.4F);
        painter.setPen(QPen(faint, 0.8 * theme.weight));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(*first, radius, radius);
        faint.setAlphaF(0.2F);
        painter.setPen(QPen(faint, 0.8 * theme.weight));
        painter.drawLine(*first, *now);
    }
    for (std::size_t i = 0; i < shown_.map->points.size(); ++i) {
        const auto now = pixelsOf({false, i});
        if (!now) continue;
        const std::size_t place = classOf(i);
        const QColor colour = featureColour(theme, place);
        const std::int32_t answer = shown_.answer(i);
        const bool hollow = answer != kNotTested && answer != shown_.map->points[i].label;
        drawMarker(painter, featureMarker(place), *now, radius, QPen(hollow ? colour : theme.panel, theme.weight),
                   hollow ? QBrush(theme.panel) : QBrush(colour));
    }
}

void FeatureCanvas::drawArrows(QPainter& painter, const Theme& theme) const {
    const FeaturePicture& picture = *shown_.picture;
    const QPointF origin = toPixels().map(QPointF(0, 0));
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < shown_.map->classes.size(); ++i) {
        const auto tip = pixelsOf({true, i});
        if (!tip) continue;
        const QColor colour = featureColour(theme, i);
        std::optional<QPointF> first;
        for (std::size_t moment = 0; moment < picture.arrows.size() && !first; ++moment)
            first = placeOf(picture.arrows[moment], i);
        if (first && std::hypot(first->x() - tip->x(), first->y() - tip->y()) >= kMoved) {
            QColor faint = colour;
            faint.setAlphaF(0.55F);
            painter.setPen(QPen(faint, theme.weight, Qt::DashLine));
            painter.drawLine(origin, *first);
        }
        // A line of the ground's colour below keeps it apart from the points.
        painter.setPen(QPen(theme.panel, 4.5 * theme.weight, Qt::SolidLine, Qt::RoundCap));
        drawArrow(painter, origin, *tip);
        painter.setPen(QPen(colour, 2 * theme.weight, Qt::SolidLine, Qt::RoundCap));
        drawArrow(painter, origin, *tip);
    }
}

std::vector<FeatureCanvas::Name> FeatureCanvas::namesWritten() const {
    if (shown_.empty()) return {};
    const QFontMetricsF metrics(featureFont(*this));
    std::vector<LabelWish> wishes;
    std::vector<std::size_t> classes;
    QStringList texts;
    std::vector<QPointF> points;
    std::vector<std::pair<QPointF, int>> sums(shown_.map->classes.size());
    for (std::size_t i = 0; i < shown_.map->points.size(); ++i)
        if (const auto place = pixelsOf({false, i})) {
            points.push_back(*place);
            auto& [sum, count] = sums[classOf(i)];
            sum += *place;
            ++count;
        }
    const QPointF origin = toPixels().map(QPointF(0, 0));
    for (std::size_t i = 0; i < shown_.map->classes.size(); ++i) {
        // At the arrow, else in the middle of the class's points.
        auto anchor = pixelsOf({true, i});
        if (anchor && std::hypot(anchor->x() - origin.x(), anchor->y() - origin.y()) < 1) anchor.reset();
        if (!anchor && sums[i].second > 0) anchor = sums[i].first / sums[i].second;
        if (!anchor) continue;
        const QString text =
            metrics.elidedText(shown_.names.name(shown_.map->classes[i]), Qt::ElideRight, scaled(kNameWidth));
        wishes.push_back({*anchor, {metrics.horizontalAdvance(text) + 2 * kHalo, metrics.height()}});
        classes.push_back(i);
        texts.append(text);
    }
    const std::vector<LabelPlace> places = placeLabels(wishes, area(), points);
    std::vector<Name> names;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (!places[i].rect.isEmpty())
            names.push_back({places[i].rect, texts[static_cast<qsizetype>(i)], classes[i], wishes[i].anchor});
    return names;
}

void FeatureCanvas::drawNames(QPainter& painter, const Theme& theme) const {
    const QFont font = featureFont(*this);
    const QFontMetricsF metrics(font);
    const std::vector<Name> names = namesWritten();
    for (const Name& name : names) {
        const QPointF near(std::clamp(name.anchor.x(), name.rect.left(), name.rect.right()),
                           std::clamp(name.anchor.y(), name.rect.top(), name.rect.bottom()));
        if (std::hypot(near.x() - name.anchor.x(), near.y() - name.anchor.y()) < kLeaderFrom) continue;
        painter.setPen(QPen(theme.panel, 3 * theme.weight));
        painter.drawLine(near, name.anchor);
        painter.setPen(QPen(featureColour(theme, name.place), theme.weight, Qt::DotLine));
        painter.drawLine(near, name.anchor);
    }
    // Words alone, with a rim of the ground's colour: a marker beside them would be read as one more point.
    for (const Name& name : names) {
        QPainterPath words;
        words.addText(name.rect.left() + kHalo, name.rect.top() + metrics.ascent(), font, name.text);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.panel, 2 * kHalo, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.drawPath(words);
        painter.fillPath(words, legible(featureColour(theme, name.place), theme.panel, kWordContrast));
    }
}

void FeatureCanvas::drawCurrent(QPainter& painter, const Theme& theme) {
    const auto place = current_ ? pixelsOf(*current_) : std::nullopt;
    if (!place) return;
    const double radius = scaled(2.2 * kMarkerRadius);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 2 * theme.weight));
    painter.drawEllipse(*place, radius, radius);
    if (current_->arrow || !has_pictures_) return;
    const FeatureMap::Point& point = shown_.map->points[current_->place];
    const QImage* picture = pictures_->picture({point.image, point.label});
    if (!picture || picture->isNull()) return;
    const QSizeF size = QSizeF(picture->size()) / picture->devicePixelRatio();
    // Beside the point, on the side that has room.
    const QRectF into = area();
    const double right = place->x() + radius + kFeatureGap;
    const double left = right + size.width() > into.right() ? place->x() - radius - kFeatureGap - size.width() : right;
    const double top =
        std::clamp(place->y() - size.height() / 2, into.top(), std::max(into.top(), into.bottom() - size.height()));
    const QRectF frame(QPointF(left, top), size);
    painter.setPen(QPen(theme.text, theme.weight));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(frame.adjusted(-2, -2, 2, 2), 4, 4);
    painter.drawImage(frame, *picture);
}

}  // namespace palimpsest
