// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr double kQuietLetters = 0.6;  // of the notice and the place, against the caption's
constexpr int kSmallestLetters = 20;   // pixels
constexpr int kFewestLines = 2;        // of a caption that there is room for

QFont sized(QFont font, int pixels, QFont::Weight weight) {
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

/// A number stays with its sign.
QString unbroken(QString caption) {
    return caption.replace(QStringLiteral(" %"), QStringLiteral("\u00a0%"));
}

}  // namespace

StageBar::StageBar(QWidget* parent) : QFrame(parent), caption_(new QLabel), notice_(new QLabel), place_(new QLabel) {
    setObjectName("stageBar");
    setAccessibleName(tr("Caption of the scene"));
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    caption_->setObjectName("stageCaption");
    caption_->setAccessibleName(tr("Caption"));
    notice_->setObjectName("stageNotice");
    notice_->setAccessibleName(tr("Notice"));
    place_->setObjectName("stagePlace");
    place_->setAccessibleName(tr("Scene"));
    for (QLabel* label : {caption_, notice_}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    }
    caption_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    place_->setTextFormat(Qt::PlainText);
    place_->setAlignment(Qt::AlignRight | Qt::AlignBottom);
    auto* words = new QVBoxLayout;
    words->setSpacing(0);
    words->addWidget(caption_);
    words->addWidget(notice_);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2 * spacing::kMargin, spacing::kRow, 2 * spacing::kMargin, spacing::kRow);
    row->setSpacing(2 * spacing::kMargin);
    row->addLayout(words, 1);
    row->addWidget(place_, 0, Qt::AlignBottom);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    notice_->hide();
}

void StageBar::setCaptions(const QStringList& captions) {
    captions_ = captions;
    fit();
}

void StageBar::setStage(int height) {
    if (std::exchange(stage_, height) != height) fit();
}

void StageBar::setCaption(const QString& caption) {
    if (caption == said_) return;
    said_ = caption;
    caption_->setText(unbroken(caption));
    setAccessibleDescription(caption);
    fit();
}

QString StageBar::caption() const {
    return said_;
}

void StageBar::setPlace(const QString& place) {
    if (place != place_->text()) place_->setText(place);
}

QString StageBar::place() const {
    return place_->text();
}

void StageBar::setNotice(const QString& notice) {
    if (notice == notice_->text()) return;
    notice_->setText(notice);
    notice_->setVisible(!notice.isEmpty());
    fit();
}

QString StageBar::notice() const {
    return notice_->text();
}

void StageBar::fit() {
    if (fitting_ || stage_ == 0) return;
    const bool kept = std::exchange(fitting_, true);
    const int letters = std::max(kSmallestLetters, static_cast<int>(kLetters * stage_ + 0.5));
    const int quiet = static_cast<int>(kQuietLetters * letters);
    caption_->setFont(sized(font(), letters, QFont::DemiBold));
    for (QLabel* label : {notice_, place_}) label->setFont(sized(font(), quiet, QFont::Normal));
    const Theme& theme = Theme::of(this);
    QPalette palette = notice_->palette();
    palette.setColor(QPalette::WindowText, theme.attention);
    notice_->setPalette(palette);
    palette.setColor(QPalette::WindowText, theme.quiet);
    place_->setPalette(palette);
    // The place takes no more than it needs at its widest, so that captions wrap alike in all scenes.
    const QFontMetrics small(place_->font());
    place_->setFixedWidth(small.horizontalAdvance(QStringLiteral("000 / 000")));
    const QMargins around = layout()->contentsMargins();
    const int room = width() - around.left() - around.right() - layout()->spacing() - place_->width();
    const QFontMetrics large(caption_->font());
    int height = kFewestLines * large.lineSpacing();
    for (const QString& each : captions_ + QStringList{said_}) {
        const QRect all = large.boundingRect(QRect(0, 0, std::max(1, room), 0), Qt::TextWordWrap, unbroken(each));
        height = std::max(height, all.height());
    }
    caption_->setFixedHeight(height);
    int all = height + around.top() + around.bottom();
    if (!notice_->isHidden()) {
        const int lines = QFontMetrics(notice_->font())
                              .boundingRect(QRect(0, 0, std::max(1, room), 0), Qt::TextWordWrap, notice_->text())
                              .height();
        notice_->setFixedHeight(lines);
        all += lines;
    }
    setFixedHeight(all);
    fitting_ = kept;
}

void StageBar::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fit();
}

void StageBar::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) fit();
}

StageCurtain::StageCurtain(QWidget* below) : QWidget(below), below_(below) {
    setObjectName("stageCurtain");
    setAccessibleName(tr("Black screen"));
    hide();
    below->installEventFilter(this);
}

void StageCurtain::paintEvent(QPaintEvent*) {
    QPainter(this).fillRect(rect(), Qt::black);
}

bool StageCurtain::eventFilter(QObject* watched, QEvent* event) {
    if (watched == below_ && event->type() == QEvent::Resize) setGeometry(below_->rect());
    return QWidget::eventFilter(watched, event);
}

}  // namespace palimpsest
