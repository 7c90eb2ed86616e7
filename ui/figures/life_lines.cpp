// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/life_lines.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kRow = 34, kRowOfShares = 64, kPicture = 28, kGapOfParts = 8, kWidestName = 120;
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

QSize LifeLines::sizeHint() const {
    return {480, static_cast<int>(std::max<std::size_t>(1, lives_.size())) * rowHeight()};
}

int LifeLines::rowHeight() const {
    return scaled(with_shares_ ? kRowOfShares : kRow);
}

void LifeLines::measureNames() {
    const QFontMetricsF metrics(textFont(font(), text_size::kText));
    double widest = 0;
    for (const Life& life : lives_)
        widest = std::max(widest, metrics.horizontalAdvance(classes_.name(life.image.label)));
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

QString LifeLines::textAt(const QPoint& point) const {
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
        const QRectF name(place.right() + kGapOfParts, top, names, rowHeight());
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(classes_.name(life.image.label), Qt::ElideRight,
                                                          static_cast<int>(names) + 1));
        if (life.pinned)
            painter.fillRect(QRectF(0, top + kInset, 2 * theme.weight, rowHeight() - 2 * kInset), theme.accent);
        painter.setFont(small);
        // Of more moments than pixels, so many as can be seen.
        const auto step = std::max<std::size_t>(
            1, static_cast<std::size_t>(2 * static_cast<double>(moments_.size()) / std::max(1.0, width() - left())));
        for (std::size_t moment = 0; moment < moments_.size(); moment += step) paintBlock(painter, row, moment);
    }
}

}  // namespace palimpsest
