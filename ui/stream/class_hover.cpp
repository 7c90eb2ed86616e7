// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/class_hover.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/stream/class_samples.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kColumns = 4;
constexpr int kPad = 12, kTipGap = 4, kFar = 10;  // kFar: from the row to the tip
constexpr int kTitleHeight = 18, kLineHeight = 17, kPartGap = 8;
constexpr int kNumberHeight = 13, kBarsHeight = 26;
constexpr int kWidth = kColumns * ClassTip::kPictureSide + (kColumns - 1) * kTipGap + 2 * kPad;
constexpr int kPicturesHeight =
    ClassTip::kPictures / kColumns * (ClassTip::kPictureSide + kTipGap) - kTipGap + kPartGap;
constexpr int kInside = kWidth - 2 * kPad;

int sessionsHeight() {
    return kBarsHeight + 2 * scaled(kNumberHeight);
}

/// Between two bars.
double gapOf(double column) {
    return column > 8 ? 3 : (column > 3 ? 1 : 0);
}

constexpr int kPauseMs = 350;     // a pointer on its way elsewhere shows no tip
constexpr int kNextPauseMs = 60;  // from row to row

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
    const QRect room = parentWidget()->rect().adjusted(kTipGap, kTipGap, -kTipGap, -kTipGap);
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
        const QRectF place(kPad + i % kColumns * (kPictureSide + kTipGap),
                           top + i / kColumns * (kPictureSide + kTipGap), kPictureSide, kPictureSide);
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
    painter.setFont(textFont(font(), text_size::kCaption));
    // No more bars than there are pixels: each then shows the fullest of its sessions.
    const int bars = std::min(sessions, kInside);
    const auto first = [&](int bar) { return static_cast<int>(std::int64_t{bar} * sessions / bars); };
    std::vector<std::int64_t> heights;
    for (int bar = 0; bar < bars; ++bar)
        heights.push_back(
            *std::max_element(content_.counts.begin() + first(bar), content_.counts.begin() + first(bar + 1)));
    paintBars(painter, top + scaled(kNumberHeight), heights);

    const double column = static_cast<double>(kInside) / sessions;
    const QFontMetricsF metrics(painter.font());
    const int stride = std::max(1, static_cast<int>(std::ceil(metrics.horizontalAdvance("000") / column)));
    const auto write = [&](int session, bool now) {
        painter.setFont(textFont(font(), text_size::kCaption, now ? QFont::DemiBold : QFont::Normal));
        painter.setPen(now ? Theme::of(this).text : Theme::of(this).quiet);
        painter.drawText(QRectF(kPad + (session + 0.5) * column - gapOf(column) / 2 - 20,
                                top + scaled(kNumberHeight) + kBarsHeight, 40, scaled(kNumberHeight)),
                         Qt::AlignCenter, QString::number(session + 1));
    };
    for (int session = 0; session < sessions; session += stride)
        if (content_.session < 0 || std::abs(session - content_.session) >= stride) write(session, false);
    if (content_.session >= 0 && content_.session < sessions) write(content_.session, true);
}

void ClassTip::paintBars(QPainter& painter, double top, const std::vector<std::int64_t>& heights) const {
    const Theme& theme = Theme::of(this);
    const QColor colour = content_.kind == ClassKind::Unknown ? theme.quiet : kindColour(theme, content_.kind);
    const auto most = std::max<std::int64_t>(1, *std::max_element(heights.begin(), heights.end()));
    const double column = static_cast<double>(kInside) / static_cast<double>(heights.size());
    const double gap = gapOf(column);
    // Above all bars or above none; where not even one digit would fit, nothing has to be measured.
    const QFontMetricsF metrics(painter.font());
    double widest = metrics.horizontalAdvance('0');
    for (const std::int64_t height : heights) {
        if (widest + 2 > column) break;
        widest = std::max(widest, metrics.horizontalAdvance(countText(height)));
    }
    for (std::size_t i = 0; i < heights.size(); ++i) {
        const double left = kPad + static_cast<double>(i) * column, floor = top + kBarsHeight;
        const double share = static_cast<double>(heights[i]) / static_cast<double>(most);
        // A session with few images still shows that it has some.
        const double height = heights[i] > 0 ? std::max(2.0, share * kBarsHeight) : 1;
        painter.setPen(Qt::NoPen);
        painter.setBrush(heights[i] == 0 ? theme.line : colour);
        painter.drawRoundedRect(QRectF(left, floor - height, column - gap, height), 1, 1);
        if (widest + 2 > column) continue;
        painter.setPen(static_cast<int>(i) == content_.session ? theme.text : theme.quiet);
        painter.drawText(QRectF(left, floor - height - scaled(kNumberHeight), column - gap, scaled(kNumberHeight)),
                         Qt::AlignCenter, countText(heights[i]));
    }
}

ClassHover::ClassHover(StreamPreview* preview, ClassSamples* samples, QWidget* window)
    : QObject(preview), preview_(preview), samples_(samples), tip_(new ClassTip(window)) {
    preview_->setCellTips(false);
    pause_.setSingleShot(true);
    connect(&pause_, &QTimer::timeout, this, &ClassHover::present);
    connect(preview_, &StreamPreview::pointed, this, &ClassHover::onPointed);
    connect(samples_, &ClassSamples::loaded, this, [this](int label, const QList<QImage>& pictures) {
        if (label == label_ && tip_->isVisible()) tip_->setPictures(pictures);
    });
}

void ClassHover::onPointed(int label, int session) {
    const bool same = label == label_;
    label_ = label;
    session_ = session;
    if (label < 0) {
        pause_.stop();
        samples_->cancel();
        tip_->hide();
    } else if (!same) {
        samples_->cancel();
        pause_.start(tip_->isVisible() ? kNextPauseMs : kPauseMs);
    } else if (tip_->isVisible() && !pause_.isActive()) {
        tip_->setContent(content());
    }
}

ClassTip::Content ClassHover::content() const {
    const PlannedStream& stream = *preview_->stream();
    const auto label = static_cast<std::size_t>(label_);
    ClassTip::Content content;
    content.name = QString::fromStdString(stream.labels->class_names[label]);
    content.kind = kindOf(preview_->home(label_));
    content.counts = stream.counts[label];
    content.session = session_;
    const auto& counts = content.counts;
    content.line =
        session_ >= 0
            ? tr("session %1: %2 images").arg(session_ + 1).arg(countText(counts[static_cast<std::size_t>(session_)]))
            : tr("%1 images in the stream")
                  .arg(countText(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})));
    if (content.kind != ClassKind::Unknown)
        content.line += tr(" · %1 class").arg(QLatin1String(kindText(content.kind)));
    return content;
}

void ClassHover::present() {
    if (label_ < 0 || !preview_->stream()) return;
    tip_->setContent(content());
    const int side = static_cast<int>(std::ceil(ClassTip::kPictureSide * preview_->devicePixelRatioF()));
    const Experiment& experiment = preview_->stream()->experiment;
    const QList<QImage>* pictures = samples_->cached(experiment, label_, ClassTip::kPictures, side);
    if (pictures)
        tip_->setPictures(*pictures);
    else
        tip_->awaitPictures();
    const QRect row = preview_->rowRect(label_).toAlignedRect();
    tip_->showBeside(QRect(preview_->mapTo(tip_->parentWidget(), row.topLeft()), row.size()));
    if (!pictures) samples_->request(experiment, label_, ClassTip::kPictures, side);
}

}  // namespace palimpsest
