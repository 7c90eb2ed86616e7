// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/class_tip.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kColumns = 4;
constexpr int kPad = 12, kGap = 4, kFar = 10;   // kFar: from the row to the tip
constexpr int kTitleHeight = 18, kLineHeight = 17, kPartGap = 8;
constexpr int kNumberHeight = 13, kBarsHeight = 26;
constexpr int kWidth = kColumns * ClassTip::kPictureSide + (kColumns - 1) * kGap + 2 * kPad;
constexpr int kPicturesHeight =
    ClassTip::kPictures / kColumns * (ClassTip::kPictureSide + kGap) - kGap + kPartGap;

int sessionsHeight() {
    return kBarsHeight + 2 * scaled(kNumberHeight);
}

}  // namespace

ClassTip::ClassTip(QWidget* window) : QWidget(window) {
    setObjectName("classTip");
    setAccessibleName(tr("What the class looks like"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void ClassTip::setContent(const Content& content) {
    content_ = content;
    setAccessibleDescription(tr("%1. %2").arg(content_.name, content_.line));
    update();
}

void ClassTip::awaitPictures() {
    awaited_ = true;
    pictures_.clear();
    update();
}

void ClassTip::setPictures(const QList<QImage>& pictures) {
    awaited_ = false;
    pictures_ = pictures;
    if (isVisible()) showBeside(row_);
    update();
}

QSize ClassTip::sizeHint() const {
    return {kWidth, 2 * kPad - 4 + scaled(kTitleHeight) + scaled(kLineHeight) + kPartGap +
                        (hasPictures() ? kPicturesHeight : 0) + sessionsHeight()};
}

void ClassTip::showBeside(const QRect& row) {
    row_ = row;
    resize(sizeHint());
    const QRect room = parentWidget()->rect().adjusted(kGap, kGap, -kGap, -kGap);
    int x = row.right() + kFar;
    if (x + width() > room.right()) x = row.left() - kFar - width();
    const int y = row.center().y() - height() / 2;
    move(std::clamp(x, room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(y, room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    raise();
}

void ClassTip::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setPen(QPen(theme.quiet, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);

    double top = kPad - 4;
    const auto write = [&](int height, QFont::Weight weight, const QColor& colour, const QString& text) {
        painter.setFont(textFont(font(), text_size::kText, weight));
        painter.setPen(colour);
        painter.drawText(QRectF(kPad, top, kWidth - 2 * kPad, height), Qt::AlignLeft | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, kWidth - 2 * kPad));
        top += height;
    };
    write(scaled(kTitleHeight), QFont::DemiBold, theme.text, content_.name);
    write(scaled(kLineHeight), QFont::Normal, theme.quiet, content_.line);
    top += kPartGap;
    if (hasPictures()) {
        paintPictures(painter, top);
        top += kPicturesHeight;
    }
    paintSessions(painter, top);
}

void ClassTip::paintPictures(QPainter& painter, double top) const {
    const Theme& theme = Theme::of(this);
    for (int i = 0; i < kPictures; ++i) {
        const QRectF place(kPad + i % kColumns * (kPictureSide + kGap), top + i / kColumns * (kPictureSide + kGap),
                           kPictureSide, kPictureSide);
        if (i >= pictures_.size() && !awaited_) break;
        painter.save();
        QPainterPath corners;
        corners.addRoundedRect(place, 3, 3);
        painter.setClipPath(corners);
        if (i < pictures_.size())
            painter.drawImage(place, pictures_[i]);
        else
            painter.fillRect(place, theme.raised);
        painter.restore();
    }
}

void ClassTip::paintSessions(QPainter& painter, double top) const {
    const int sessions = static_cast<int>(content_.counts.size());
    if (sessions == 0) return;
    const Theme& theme = Theme::of(this);
    const auto most = std::max<std::int64_t>(1, *std::max_element(content_.counts.begin(), content_.counts.end()));
    const double column = static_cast<double>(kWidth - 2 * kPad) / sessions;
    const double gap = column > 8 ? 3 : (column > 3 ? 1 : 0);
    painter.setFont(textFont(font(), text_size::kCaption));
    const QFontMetricsF metrics(painter.font());
    const auto textOf = [&](int session) { return countText(content_.counts[static_cast<std::size_t>(session)]); };
    double widest = 0;
    for (int i = 0; i < sessions; ++i) widest = std::max(widest, metrics.horizontalAdvance(textOf(i)));
    const bool counted = widest + 2 <= column;
    const int stride = std::max(1, static_cast<int>(std::ceil(metrics.horizontalAdvance("000") / column)));
    for (int i = 0; i < sessions; ++i) {
        const double left = kPad + i * column, floor = top + scaled(kNumberHeight) + kBarsHeight;
        const bool now = i == content_.session;
        const auto count = content_.counts[static_cast<std::size_t>(i)];
        const double share = static_cast<double>(count) / static_cast<double>(most);
        // A session with few images still shows that it has some.
        const double height = count > 0 ? std::max(2.0, share * kBarsHeight) : 1;
        painter.setPen(Qt::NoPen);
        painter.setBrush(count == 0                               ? theme.line
                         : content_.kind == ClassKind::Unknown ? theme.quiet
                                                               : kindColour(theme, content_.kind));
        painter.drawRoundedRect(QRectF(left, floor - height, column - gap, height), 1, 1);
        painter.setPen(now ? theme.text : theme.quiet);
        if (counted)
            painter.drawText(QRectF(left, floor - height - scaled(kNumberHeight), column - gap, scaled(kNumberHeight)),
                             Qt::AlignCenter, textOf(i));
        const bool crowded = content_.session >= 0 && std::abs(i - content_.session) < stride;
        if (now || (i % stride == 0 && !crowded)) {
            painter.setFont(textFont(font(), text_size::kCaption, now ? QFont::DemiBold : QFont::Normal));
            painter.drawText(QRectF(left + (column - gap) / 2 - 20, floor, 40, scaled(kNumberHeight)), Qt::AlignCenter,
                             QString::number(i + 1));
            painter.setFont(textFont(font(), text_size::kCaption));
        }
    }
}

}  // namespace palimpsest
