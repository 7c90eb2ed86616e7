// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/life_lines.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kRow = 38, kRowOfShares = 64, kPicture = 28, kGapOfParts = 8, kWidestName = 120;
constexpr int kAxisHeight = 20, kLegendLine = 18, kSignWidth = 16, kSignHeight = 11, kPinSize = 12, kTickRoom = 10;
constexpr double kInset = 5, kBlockGap = 1.5, kLeastForWords = 34;
constexpr float kLeastToTell = 0.005F;  // a share that rounds to one per cent

/// Shares may be recorded in steps of a 255th: more digits would mislead.
QString wholePercent(float share) {
    return QString::number(std::lround(100 * share));
}

bool knows(const TopClasses& top) {
    return top[0].label != kNotTested;
}

}  // namespace

LifeLines::LifeLines(PictureLoader* pictures, QWidget* parent) : TipWidget(parent), pictures_(pictures) {
    setObjectName(QStringLiteral("lifeLines"));
    setAccessibleName(tr("Lives of the images"));
    setToolTip(
        tr("A block for each evaluation: filled where the image was right, outlined where it was taken for "
           "another class. A high block is filled as far as the probability of the true class goes, with the most "
           "probable other classes above it."));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fitToText(this, [this] {
        measureNames();
        updateGeometry();
    });
    connect(pictures_, &PictureLoader::arrived, this, qOverload<>(&QWidget::update));
}

void LifeLines::setLives(const ClassNames& classes, const std::vector<std::int64_t>& moments, std::size_t current,
                         std::vector<Life> lives) {
    const QSize before = sizeHint();
    classes_ = classes;
    moments_ = moments;
    current_ = current;
    lives_ = std::move(lives);
    with_shares_ = std::ranges::any_of(lives_, [](const Life& life) { return std::ranges::any_of(life.top, knows); });
    QStringList words;
    for (std::size_t row = 0; row < lives_.size() && current_ < moments_.size(); ++row) {
        const QString top = topText(row, current_);
        words.append(tr("%1: %2").arg(classes_.name(lives_[row].image.label), answerText(lives_[row], current_)) +
                     (top.isEmpty() ? QString() : tr(" (%1)").arg(top)));
    }
    setAccessibleDescription(words.join(QStringLiteral(". ")));
    measureNames();
    if (sizeHint() != before) updateGeometry();
    update();
}

int LifeLines::rowsHeight() const {
    return static_cast<int>(std::max<std::size_t>(1, lives_.size())) * rowHeight();
}

QSize LifeLines::sizeHint() const {
    const std::vector<Explained> signs = legend();
    const int bottom = signs.empty() ? 0 : static_cast<int>(std::ceil(signs.back().rect.bottom()));
    return {480, std::max(rowsHeight() + scaled(kAxisHeight), bottom)};
}

void LifeLines::resizeEvent(QResizeEvent* event) {
    TipWidget::resizeEvent(event);
    // The legend may need another line.
    if (sizeHint().height() != height()) updateGeometry();
}

std::vector<LifeLines::Tick> LifeLines::ticks() const {
    const QFontMetricsF metrics(textFont(font(), text_size::kCaption));
    std::vector<Tick> found;
    const auto offer = [&](std::size_t moment) {
        const QString text = countText(moments_[moment]);
        const double wide = metrics.horizontalAdvance(text), middle = blockRect(0, moment).center().x();
        const double from = std::clamp(middle - wide / 2, left(), std::max(left(), width() - wide));
        const QRectF rect(from, rowsHeight() + scaled(4), wide, metrics.height());
        const bool free = std::ranges::none_of(found, [&](const Tick& other) {
            return rect.left() < other.rect.right() + scaled(kTickRoom) &&
                   other.rect.left() < rect.right() + scaled(kTickRoom);
        });
        if (free) found.push_back({moment, rect, text});
    };
    if (moments_.empty()) return found;
    // The moment that is shown has a label whatever else has.
    if (current_ < moments_.size()) offer(current_);
    offer(moments_.size() - 1);
    for (std::size_t moment = 0; moment < moments_.size(); ++moment) offer(moment);
    return found;
}

std::vector<LifeLines::Explained> LifeLines::legend() const {
    const QFontMetricsF metrics(textFont(font(), text_size::kCaption));
    std::vector<Explained> signs{{Sign::Right, {}, tr("right")},
                                 {Sign::Wrong, {}, tr("wrong: taken for the class in it")},
                                 {Sign::Shown, {}, tr("the moment that is shown")}};
    if (with_shares_)
        signs.insert(signs.begin() + 2,
                     {Sign::Shares, {}, tr("filled as high as its class is probable, other classes above it")});
    const double line = scaled(kLegendLine), room = std::max(width(), minimumWidth());
    double x = 0, y = rowsHeight() + scaled(kAxisHeight);
    for (Explained& each : signs) {
        const double wide = scaled(kSignWidth) + kGapOfParts + metrics.horizontalAdvance(each.text);
        if (x > 0 && x + wide > room) {
            x = 0;
            y += line;
        }
        each.rect = QRectF(x, y, wide, line);
        x += wide + 2 * kGapOfParts;
    }
    return signs;
}

int LifeLines::rowHeight() const {
    return scaled(with_shares_ ? kRowOfShares : kRow);
}

void LifeLines::measureNames() {
    const QFontMetricsF metrics(textFont(font(), text_size::kText));
    double widest = 0;
    for (const Life& life : lives_)
        widest = std::max(widest, metrics.horizontalAdvance(classes_.name(life.image.label)));
    if (std::ranges::any_of(lives_, &Life::pinned))
        widest =
            std::max(widest, scaled(kPinSize) + kGapOfParts +
                                 QFontMetricsF(textFont(font(), text_size::kCaption)).horizontalAdvance(tr("pinned")));
    name_width_ = std::min<double>(widest, scaled(kWidestName));
}

double LifeLines::left() const {
    return scaled(kPicture) + 2 * kGapOfParts + name_width_;
}

double LifeLines::pitch() const {
    return (width() - left()) / static_cast<double>(std::max<std::size_t>(1, moments_.size()));
}

QRectF LifeLines::blockRect(std::size_t row, std::size_t moment) const {
    const double gap = std::min(kBlockGap, pitch() / 4);
    return {left() + static_cast<double>(moment) * pitch() + gap, static_cast<double>(row) * rowHeight() + kInset,
            pitch() - 2 * gap, rowHeight() - 2 * kInset};
}

QString LifeLines::answerText(const Life& life, std::size_t moment) const {
    const std::int32_t answer = moment < life.answers.size() ? life.answers[moment] : kNotTested;
    if (answer == kNotTested) return tr("not tested yet");
    if (answer == kNoClassYet) return tr("taken for a class that has not come yet");
    return answer == life.image.label ? tr("right") : tr("taken for %1").arg(classes_.name(answer));
}

QString LifeLines::topText(std::size_t row, std::size_t moment) const {
    const std::vector<TopClasses>& top = lives_[row].top;
    QStringList words;
    if (moment < top.size())
        for (const ClassShare& one : top[moment])
            if (one.label != kNotTested && (words.isEmpty() || one.share >= kLeastToTell))
                words.append(one.label == kNoClassYet
                                 ? tr("a class to come %1 %").arg(wholePercent(one.share))
                                 : tr("%1 %2 %").arg(classes_.name(one.label), wholePercent(one.share)));
    return words.join(QStringLiteral(", "));
}

QPoint LifeLines::tipPlace(const QPoint& point) const {
    return {point.x(), rowsHeight()};
}

QString LifeLines::textAt(const QPoint& point) const {
    if (point.y() >= rowsHeight()) return {};
    const auto row = static_cast<std::size_t>(std::max(0, point.y() / rowHeight()));
    if (row >= lives_.size() || moments_.empty()) return {};
    const Life& life = lives_[row];
    if (point.x() < left()) {
        const QString name = classes_.text(life.image.label);
        return life.pinned ? tr("%1, pinned; click to unpin").arg(name) : name;
    }
    const auto moment = std::min(moments_.size() - 1, static_cast<std::size_t>((point.x() - left()) / pitch()));
    const QString top = topText(row, moment);
    return tr("After %1 images: %2").arg(countText(moments_[moment]), answerText(life, moment)) +
           (top.isEmpty() ? QString() : '\n' + top);
}

void LifeLines::mouseReleaseEvent(QMouseEvent* event) {
    const auto row = static_cast<std::size_t>(std::max(0.0, event->position().y() / rowHeight()));
    if (event->button() == Qt::LeftButton && row < lives_.size() && lives_[row].pinned &&
        event->position().x() < left())
        Q_EMIT unpinAsked(lives_[row].image.sample);
}

void LifeLines::paintShares(QPainter& painter, const Life& life, const TopClasses& top, const QRectF& block) const {
    const Theme& theme = Theme::of(this);
    const auto of = std::ranges::find(top, life.image.label, &ClassShare::label);
    double bottom = block.bottom();
    const auto take = [&](float share) {
        const double height = block.height() * static_cast<double>(share);
        bottom -= height;
        return QRectF(block.left(), bottom, block.width(), height);
    };
    painter.fillRect(block, theme.raised);
    if (of != top.end()) painter.fillRect(take(of->share), theme.accent);
    painter.setBrush(Qt::NoBrush);
    for (const ClassShare& one : top) {
        if (one.label == life.image.label || one.label == kNotTested || one.share < kLeastToTell) continue;
        const QRectF part = take(one.share);
        painter.setPen(QPen(theme.quiet, theme.weight));
        painter.drawRect(part);
        if (part.width() < scaled(kLeastForWords) || part.height() < painter.fontMetrics().height()) continue;
        painter.setPen(theme.text);
        const QString text = one.label == kNoClassYet ? QStringLiteral("?") : classes_.name(one.label);
        painter.drawText(part, Qt::AlignCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(part.width()) - 4));
    }
}

void LifeLines::paintBlock(QPainter& painter, std::size_t row, std::size_t moment) const {
    const Theme& theme = Theme::of(this);
    const Life& life = lives_[row];
    const std::int32_t answer = moment < life.answers.size() ? life.answers[moment] : kNotTested;
    const QRectF block = blockRect(row, moment);
    if (moment == current_) {
        painter.setPen(QPen(theme.text, 1.5 * theme.weight));
        painter.drawLine(QPointF(block.left(), block.bottom() + 3), QPointF(block.right(), block.bottom() + 3));
    }
    if (answer == kNotTested) return;
    if (moment < life.top.size() && knows(life.top[moment])) return paintShares(painter, life, life.top[moment], block);
    const bool right = answer == life.image.label;
    painter.setPen(right ? QPen(Qt::NoPen) : QPen(theme.quiet, theme.weight));
    painter.setBrush(right ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
    painter.drawRect(block);
    if (right || block.width() < scaled(kLeastForWords)) return;
    painter.setPen(theme.text);
    const QString text = answer == kNoClassYet ? QStringLiteral("?") : classes_.name(answer);
    painter.drawText(block, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(block.width()) - 4));
}

void LifeLines::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    const QFont words = textFont(font(), text_size::kText), small = textFont(font(), text_size::kCaption);
    const double names = name_width_;
    for (std::size_t row = 0; row < lives_.size(); ++row) {
        const Life& life = lives_[row];
        const int top = static_cast<int>(row) * rowHeight();
        const QRect place(0, top + (rowHeight() - scaled(kPicture)) / 2, scaled(kPicture), scaled(kPicture));
        const QImage* picture = pictures_->picture(life.image);
        if (picture && !picture->isNull())
            painter.drawImage(place, *picture);
        else
            painter.fillRect(place, theme.raised);
        painter.fillRect(place.left(), place.bottom() + 1, place.width(), 2,
                         barColour(theme, classes_.kind(life.image.label)));
        painter.setFont(words);
        painter.setPen(theme.text);
        QRectF name(place.right() + kGapOfParts, top, names, rowHeight());
        if (life.pinned) {
            const double middle = name.center().y();
            const QRect pin(static_cast<int>(name.left()), static_cast<int>(middle) + 2, scaled(kPinSize),
                            scaled(kPinSize));
            icon(QStringLiteral("pin"), &Theme::accent).paint(&painter, pin);
            painter.setFont(small);
            painter.setPen(theme.quiet);
            painter.drawText(QRectF(pin.right() + kGapOfParts / 2.0, pin.top(), names, pin.height()),
                             Qt::AlignVCenter | Qt::AlignLeft, tr("pinned"));
            painter.setFont(words);
            painter.setPen(theme.text);
            name.setBottom(middle);
        }
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(classes_.name(life.image.label), Qt::ElideRight,
                                                          static_cast<int>(names) + 1));
        painter.setFont(small);
        // Of more moments than pixels, so many as can be seen.
        const auto step = std::max<std::size_t>(
            1, static_cast<std::size_t>(2 * static_cast<double>(moments_.size()) / std::max(1.0, width() - left())));
        for (std::size_t moment = 0; moment < moments_.size(); moment += step) paintBlock(painter, row, moment);
    }
    painter.setFont(small);
    paintAxis(painter);
    paintLegend(painter);
}

void LifeLines::paintAxis(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const double ground = rowsHeight() + 1.5;
    painter.setPen(QPen(theme.line, theme.weight));
    painter.drawLine(QPointF(left(), ground), QPointF(width(), ground));
    for (const Tick& tick : ticks()) {
        const double x = blockRect(0, tick.moment).center().x();
        painter.setPen(QPen(tick.moment == current_ ? theme.text : theme.line, theme.weight));
        painter.drawLine(QPointF(x, ground), QPointF(x, ground + scaled(3)));
        painter.setPen(tick.moment == current_ ? theme.text : theme.quiet);
        painter.drawText(tick.rect.adjusted(-1, 0, 1, 0), Qt::AlignCenter, tick.text);
    }
    painter.setPen(theme.quiet);
    painter.drawText(
        QRectF(0, rowsHeight() + scaled(4), left() - kGapOfParts, painter.fontMetrics().height()),
        Qt::AlignRight | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(tr("images seen"), Qt::ElideRight, static_cast<int>(left()) - kGapOfParts));
}

void LifeLines::paintLegend(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    for (const Explained& each : legend()) {
        const double high = scaled(kSignHeight), wide = scaled(kSignWidth);
        const QRectF sign(each.rect.left() + 0.5, each.rect.center().y() - high / 2, wide - 1, high);
        painter.setPen(QPen(theme.quiet, theme.weight));
        painter.setBrush(Qt::NoBrush);
        switch (each.sign) {
            case Sign::Right:
                painter.fillRect(sign, theme.accent);
                break;
            case Sign::Wrong:
                painter.drawRect(sign);
                break;
            case Sign::Shares:
                painter.fillRect(sign.adjusted(0, 0.4 * high, 0, 0), theme.accent);
                painter.drawRect(sign.adjusted(0, 0, 0, -0.6 * high));
                break;
            case Sign::Shown:
                painter.setPen(QPen(theme.text, 1.5 * theme.weight));
                painter.drawLine(sign.bottomLeft(), sign.bottomRight());
                break;
        }
        painter.setPen(theme.quiet);
        painter.drawText(each.rect.adjusted(wide + kGapOfParts / 2.0, 0, kGapOfParts, 0),
                         Qt::AlignVCenter | Qt::AlignLeft, each.text);
    }
}

}  // namespace palimpsest
