// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/attention_maps.h"

#include <QKeyEvent>
#include <QPainter>
#include <algorithm>

#include "ui/style/colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kMapGap = 4, kRowHead = 20, kNumbers = 18, kBarHeight = 48, kLargestPicture = 320, kScaleHeight = 8;
constexpr double kHeatOpacity = 0.82, kPictureShare = 0.22;

}  // namespace

AttentionMaps::AttentionMaps(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("attentionMaps"));
    setAccessibleName(tr("Attention of each block"));
    setToolTip(
        tr("A map for each block, from the first on the left to the last: how much attention each patch of the image "
           "gets; the arrow keys go from map to map"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    fitToText(this, [this] { update(); });
}

void AttentionMaps::setAttention(std::shared_ptr<const ImageAttention> attention) {
    // At first the block that shows most; then where the user went.
    const bool first = !attention_ && attention;
    attention_ = std::move(attention);
    heat_.clear();
    picture_ = attention_ ? thumbnailImage(attention_->picture) : QImage();
    largest_ = 0;
    for (int row = 0; row < rows(); ++row)
        for (const BlockAttention& block : blocksOf(row))
            for (const float share : block.patches) largest_ = std::max(largest_, static_cast<double>(share));
    for (int row = 0; row < rows(); ++row) {
        std::vector<QImage> images;
        const int side = static_cast<int>(attention_->side);
        for (const BlockAttention& block : blocksOf(row)) {
            QImage image(side, side, QImage::Format_RGB32);
            for (int i = 0; i < side * side; ++i) {
                const double share = static_cast<double>(block.patches.at(static_cast<std::size_t>(i)));
                image.setPixel(i % side, i / side, heatColour(largest_ > 0 ? share / largest_ : 0));
            }
            images.push_back(std::move(image));
        }
        heat_.push_back(std::move(images));
    }
    if (first) {
        row_ = rows() - 1;
        block_ = static_cast<int>(attentionBlock(*attention_));
    }
    row_ = std::clamp(row_, 0, std::max(0, rows() - 1));
    block_ = std::clamp(block_, 0, std::max(0, blocks() - 1));
    setAccessibleDescription(mapText(row_, block_));
    update();
    Q_EMIT currentChanged();
}

int AttentionMaps::rows() const {
    return !attention_ ? 0 : attention_->hasPrompts() ? 2 : 1;
}

int AttentionMaps::blocks() const {
    return attention_ ? static_cast<int>(attention_->without.size()) : 0;
}

const std::vector<BlockAttention>& AttentionMaps::blocksOf(int row) const {
    return row == 0 ? attention_->without : attention_->with;
}

QString AttentionMaps::rowName(int row) const {
    if (!attention_->hasPrompts())
        return attention_->learned ? tr("As the network has learned") : tr("Without prompts");
    return row == 0 ? tr("Without prompts") : tr("With the prompts of the run");
}

int AttentionMaps::pictureSide() const {
    return std::clamp(static_cast<int>(width() * kPictureShare), 96,
                      std::max(96, std::min(height() - scaled(kRowHead), scaled(kLargestPicture))));
}

int AttentionMaps::left() const {
    return pictureSide() + 3 * kMapGap;
}

int AttentionMaps::pitchOf(int columns) const {
    const int room = (width() - left()) / std::max(1, columns);
    if (rows() < 2) {
        const int lines = (std::max(1, blocks()) + columns - 1) / columns;
        return std::min(room, (height() - scaled(kRowHead)) / lines - scaled(kNumbers));
    }
    const int below = scaled(kBarHeight) + scaled(kRowHead) + 2 * scaled(kNumbers);
    return std::min(room, (height() - below) / rows() - scaled(kRowHead));
}

int AttentionMaps::columns() const {
    int best = std::max(1, blocks());
    if (rows() > 1) return best;
    for (int columns = best - 1; columns > 0; --columns)
        if (pitchOf(columns) > pitchOf(best)) best = columns;
    return best;
}

int AttentionMaps::pitch() const {
    return std::max(8, pitchOf(columns()));
}

int AttentionMaps::mapSide() const {
    const int most = pitch() - kMapGap, patches = attention_ ? static_cast<int>(attention_->side) : 1;
    // Cells of whole pixels, all of one size, where there is room for that.
    return most >= patches ? most / patches * patches : most;
}

int AttentionMaps::top(int row) const {
    return scaled(kRowHead) + row * (pitch() + scaled(kRowHead));
}

QRectF AttentionMaps::mapRect(int row, int block) const {
    const int across = columns(), line = block / across;
    return QRectF(left() + block % across * pitch(), top(row) + line * (pitch() + scaled(kNumbers)), mapSide(),
                  mapSide());
}

QRectF AttentionMaps::barRect(int block) const {
    if (rows() < 2) return {};
    const double share = blocksOf(1).at(static_cast<std::size_t>(block)).prompts;
    const double high = scaled(kBarHeight) * std::clamp(share, 0.0, 1.0);
    const int ground = top(2) + scaled(kBarHeight);
    return {static_cast<double>(left() + block * pitch()), ground - high, static_cast<double>(mapSide()), high};
}

QString AttentionMaps::mapText(int row, int block) const {
    if (row < 0 || block < 0 || row >= rows() || block >= blocks()) return {};
    const BlockAttention& shown = blocksOf(row)[static_cast<std::size_t>(block)];
    const double strongest = shown.patches.empty() ? 0 : static_cast<double>(std::ranges::max(shown.patches));
    QStringList words{tr("Block %1, %2").arg(QString::number(block + 1), rowName(row).toLower()),
                      tr("strongest patch in %1, %2 %")
                          .arg(QString::fromStdString(strongestPatch(shown, attention_->side)), percentText(strongest)),
                      tr("the class token itself %1 %").arg(percentText(shown.own))};
    if (shown.prompt_tokens > 0)
        words.append(
            tr("%1 prompt tokens together %2 %").arg(countText(shown.prompt_tokens), percentText(shown.prompts)));
    else if (row == 1)
        words.append(tr("no prompts in this block"));
    return words.join(QStringLiteral(" · "));
}

std::pair<int, int> AttentionMaps::mapAt(const QPointF& point) const {
    for (int row = 0; row < rows(); ++row)
        for (int block = 0; block < blocks(); ++block)
            if (mapRect(row, block).contains(point)) return {row, block};
    return {-1, -1};
}

QString AttentionMaps::textAt(const QPoint& point) const {
    const auto [row, block] = mapAt(point);
    if (row < 0) return {};
    const QRectF rect = mapRect(row, block);
    const auto side = static_cast<double>(attention_->side);
    const int x = static_cast<int>((point.x() - rect.left()) * side / rect.width()),
              y = static_cast<int>((point.y() - rect.top()) * side / rect.height());
    const auto place = static_cast<std::size_t>(y * static_cast<int>(side) + x);
    const BlockAttention& shown = blocksOf(row)[static_cast<std::size_t>(block)];
    if (place >= shown.patches.size()) return mapText(row, block);
    return tr("Row %1, column %2: %3 %")
               .arg(QString::number(y + 1), QString::number(x + 1),
                    percentText(static_cast<double>(shown.patches[place]))) +
           '\n' + mapText(row, block);
}

void AttentionMaps::go(int row, int block) {
    row = std::clamp(row, 0, std::max(0, rows() - 1));
    block = std::clamp(block, 0, std::max(0, blocks() - 1));
    if (row == row_ && block == block_) return;
    row_ = row;
    block_ = block;
    setAccessibleDescription(mapText(row_, block_));
    update();
    Q_EMIT currentChanged();
}

void AttentionMaps::goLine(int by) {
    const int block = block_ + by * columns();
    if (block >= 0 && block < blocks()) go(row_, block);
}

void AttentionMaps::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Left:
            return go(row_, block_ - 1);
        case Qt::Key_Right:
            return go(row_, block_ + 1);
        case Qt::Key_Up:
            return rows() > 1 ? go(row_ - 1, block_) : goLine(-1);
        case Qt::Key_Down:
            return rows() > 1 ? go(row_ + 1, block_) : goLine(1);
        case Qt::Key_Home:
            return go(row_, 0);
        case Qt::Key_End:
            return go(row_, blocks() - 1);
        default:
            return TipWidget::keyPressEvent(event);
    }
}

void AttentionMaps::mousePressEvent(QMouseEvent* event) {
    const auto [row, block] = mapAt(event->position());
    if (row >= 0) go(row, block);
    TipWidget::mousePressEvent(event);
}

void AttentionMaps::focusInEvent(QFocusEvent* event) {
    TipWidget::focusInEvent(event);
    update();
}

void AttentionMaps::focusOutEvent(QFocusEvent* event) {
    TipWidget::focusOutEvent(event);
    update();
}

void AttentionMaps::paintScale(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const int high = scaled(kScaleHeight), wide = std::min(scaled(120), pictureSide() / 2);
    const int y = scaled(kRowHead) + pictureSide() + scaled(kRowHead) / 2;
    if (y + high > height()) return;
    for (int x = 0; x < wide; ++x)
        painter.fillRect(x, y, 1, high, QColor(heatColour(static_cast<double>(x) / std::max(1, wide - 1))));
    painter.setPen(theme.quiet);
    painter.drawText(QRectF(wide + 2 * kMapGap, y - scaled(kNumbers) / 2.0 + high / 2.0, width(), scaled(kNumbers)),
                     Qt::AlignVCenter | Qt::AlignLeft, tr("0 to %1 %").arg(percentText(largest_)));
}

void AttentionMaps::paintEvent(QPaintEvent*) {
    if (!attention_ || blocks() == 0) return;
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setFont(textFont(font(), text_size::kCaption));
    const QRect large(0, scaled(kRowHead), pictureSide(), pictureSide());
    if (picture_.isNull())
        painter.fillRect(large, theme.raised);
    else
        painter.drawImage(large, picture_);
    paintScale(painter);
    const auto fits = [&](const QString& text) { return painter.fontMetrics().horizontalAdvance(text) <= pitch(); };
    for (int row = 0; row < rows(); ++row) {
        painter.setPen(theme.text);
        painter.drawText(QRectF(left(), top(row) - scaled(kRowHead), width() - left(), scaled(kRowHead)),
                         Qt::AlignVCenter | Qt::AlignLeft, rowName(row));
        for (int block = 0; block < blocks(); ++block) {
            const QRectF rect = mapRect(row, block);
            if (!picture_.isNull()) painter.drawImage(rect, picture_);
            painter.setOpacity(picture_.isNull() ? 1 : kHeatOpacity);
            painter.drawImage(rect, heat_[static_cast<std::size_t>(row)][static_cast<std::size_t>(block)]);
            painter.setOpacity(1);
            if (row != row_ || block != block_) continue;
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(hasFocus() ? theme.accent : theme.quiet, 2 * theme.weight));
            painter.drawRect(rect.adjusted(-1, -1, 1, 1));
        }
    }
    int below = top(rows()) - scaled(kRowHead);
    if (rows() > 1) {
        painter.setPen(theme.text);
        painter.drawText(QRectF(left(), below, width() - left(), scaled(kRowHead)), Qt::AlignVCenter | Qt::AlignLeft,
                         tr("Share of the prompts, in per cent"));
        below = top(2) + scaled(kBarHeight);
    }
    for (int block = 0; block < blocks(); ++block) {
        const QRectF map = mapRect(0, block);
        const QRectF place(map.left(), rows() > 1 ? below : map.bottom(), mapSide(), scaled(kNumbers));
        if (rows() > 1) {
            const BlockAttention& with = attention_->with[static_cast<std::size_t>(block)];
            painter.fillRect(QRectF(place.left(), below - scaled(kBarHeight), place.width(), scaled(kBarHeight)),
                             theme.raised);
            painter.fillRect(barRect(block), theme.accent);
            const QString number = with.prompt_tokens > 0 ? percentText(with.prompts) : QStringLiteral("–");
            painter.setPen(theme.text);
            if (fits(number)) painter.drawText(place, Qt::AlignCenter, number);
        }
        const QString number = QString::number(block + 1);
        painter.setPen(theme.quiet);
        if (fits(number))
            painter.drawText(place.translated(0, rows() > 1 ? scaled(kNumbers) : 0), Qt::AlignCenter,
                             block == 0 && fits(tr("block %1").arg(1)) ? tr("block %1").arg(1) : number);
    }
}

}  // namespace palimpsest
