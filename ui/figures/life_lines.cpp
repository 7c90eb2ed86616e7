// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/life_lines.h"

#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kRow = 34, kPicture = 28, kGapOfParts = 8, kWidestName = 120;
constexpr double kInset = 5, kBlockGap = 1.5, kLeastForWords = 34;

}  // namespace

LifeLines::LifeLines(PictureLoader* pictures, QWidget* parent) : TipWidget(parent), pictures_(pictures) {
    setObjectName(QStringLiteral("lifeLines"));
    setAccessibleName(tr("Lives of the images"));
    setToolTip(
        tr("A block for each evaluation: filled where the image was right, outlined where it was taken for "
           "another class"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fitToText(this, [this] {
        measureNames();
        updateGeometry();
    });
    connect(pictures_, &PictureLoader::arrived, this, qOverload<>(&QWidget::update));
}

void LifeLines::setLives(const ClassNames& classes, const std::vector<std::int64_t>& moments, std::size_t current,
                         std::vector<Life> lives) {
    const bool rows = lives.size() != lives_.size();
    classes_ = classes;
    moments_ = moments;
    current_ = current;
    lives_ = std::move(lives);
    QStringList words;
    for (const Life& life : lives_)
        if (current_ < moments_.size())
            words.append(tr("%1: %2").arg(classes_.name(life.image.label), answerText(life, current_)));
    setAccessibleDescription(words.join(QStringLiteral(". ")));
    measureNames();
    if (rows) updateGeometry();
    update();
}

QSize LifeLines::sizeHint() const {
    return {480, static_cast<int>(std::max<std::size_t>(1, lives_.size())) * scaled(kRow)};
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
    return {left() + static_cast<double>(moment) * pitch() + gap, static_cast<double>(row) * scaled(kRow) + kInset,
            pitch() - 2 * gap, scaled(kRow) - 2 * kInset};
}

QString LifeLines::answerText(const Life& life, std::size_t moment) const {
    const std::int32_t answer = moment < life.answers.size() ? life.answers[moment] : kNotTested;
    if (answer == kNotTested) return tr("not tested yet");
    if (answer == kNoClassYet) return tr("taken for a class that has not come yet");
    return answer == life.image.label ? tr("right") : tr("taken for %1").arg(classes_.name(answer));
}

QString LifeLines::textAt(const QPoint& point) const {
    const auto row = static_cast<std::size_t>(std::max(0, point.y() / scaled(kRow)));
    if (row >= lives_.size() || moments_.empty()) return {};
    const Life& life = lives_[row];
    if (point.x() < left()) {
        const QString name = classes_.text(life.image.label);
        return life.pinned ? tr("%1, pinned; click to unpin").arg(name) : name;
    }
    const auto moment = std::min(moments_.size() - 1, static_cast<std::size_t>((point.x() - left()) / pitch()));
    return tr("After %1 images: %2").arg(countText(moments_[moment]), answerText(life, moment));
}

void LifeLines::mouseReleaseEvent(QMouseEvent* event) {
    const auto row = static_cast<std::size_t>(std::max(0.0, event->position().y() / scaled(kRow)));
    if (event->button() == Qt::LeftButton && row < lives_.size() && lives_[row].pinned &&
        event->position().x() < left())
        Q_EMIT unpinAsked(lives_[row].image.sample);
}

void LifeLines::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    const QFont words = textFont(font(), text_size::kText), small = textFont(font(), text_size::kCaption);
    const double names = name_width_;
    for (std::size_t row = 0; row < lives_.size(); ++row) {
        const Life& life = lives_[row];
        const int top = static_cast<int>(row) * scaled(kRow);
        const QRect place(0, top + (scaled(kRow) - scaled(kPicture)) / 2, scaled(kPicture), scaled(kPicture));
        const QImage* picture = pictures_->picture(life.image);
        if (picture && !picture->isNull())
            painter.drawImage(place, *picture);
        else
            painter.fillRect(place, theme.raised);
        painter.fillRect(place.left(), place.bottom() + 1, place.width(), 2,
                         barColour(theme, classes_.kind(life.image.label)));
        painter.setFont(words);
        painter.setPen(theme.text);
        const QRectF name(place.right() + kGapOfParts, top, names, scaled(kRow));
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(classes_.name(life.image.label), Qt::ElideRight,
                                                          static_cast<int>(names) + 1));
        if (life.pinned)
            painter.fillRect(QRectF(0, top + kInset, 2 * theme.weight, scaled(kRow) - 2 * kInset), theme.accent);
        painter.setFont(small);
        // Of more moments than pixels, so many as can be seen.
        const auto step = std::max<std::size_t>(
            1, static_cast<std::size_t>(2 * static_cast<double>(moments_.size()) / std::max(1.0, width() - left())));
        for (std::size_t moment = 0; moment < moments_.size(); moment += step) {
            const std::int32_t answer = moment < life.answers.size() ? life.answers[moment] : kNotTested;
            const QRectF block = blockRect(row, moment);
            if (moment == current_) {
                painter.setPen(QPen(theme.text, 1.5 * theme.weight));
                painter.drawLine(QPointF(block.left(), block.bottom() + 3), QPointF(block.right(), block.bottom() + 3));
            }
            if (answer == kNotTested) continue;
            const bool right = answer == life.image.label;
            painter.setPen(right ? QPen(Qt::NoPen) : QPen(theme.quiet, theme.weight));
            painter.setBrush(right ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
            painter.drawRect(block);
            if (right || block.width() < scaled(kLeastForWords)) continue;
            painter.setPen(theme.text);
            const QString text = answer == kNoClassYet ? QStringLiteral("?") : classes_.name(answer);
            painter.drawText(
                block, Qt::AlignCenter,
                painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(block.width()) - 4));
        }
    }
}

}  // namespace palimpsest
