// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/stage_strip.h"

#include <QAccessible>
#include <QEvent>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPropertyAnimation>
#include <algorithm>
#include <utility>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr double kStripLetters = 0.026, kStripWidth = 0.86;  // of the height, and of the width below
constexpr int kSmallestStripLetters = 16;                    // pixels
constexpr int kFadeMs = 400;
constexpr int kReadingBaseMs = 2500, kReadingWordMs = 320, kLongestReadingMs = 30'000;

}  // namespace

StageStrip::StageStrip(const QString& name, const QString& accessible, QWidget* below)
    : QFrame(below), below_(below), words_(new QLabel) {
    setObjectName(name);
    setAccessibleName(accessible);
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    words_->setObjectName(name + "Words");
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(2 * spacing::kMargin, spacing::kMargin, 2 * spacing::kMargin, spacing::kMargin);
    row->addWidget(words_);
    leaving_.setSingleShot(true);
    connect(&leaving_, &QTimer::timeout, this, &StageStrip::fade);
    hide();
    below->installEventFilter(this);
}

int StageStrip::readingTime(const QString& text) {
    const auto words = static_cast<int>(text.simplified().count(' ')) + 1;
    return std::min(kLongestReadingMs, kReadingBaseMs + kReadingWordMs * words);
}

void StageStrip::say(const QString& text, int milliseconds) {
    if (text.isEmpty()) return dismiss();
    setGraphicsEffect(nullptr);
    leaving_.stop();
    words_->setText(text);
    setAccessibleDescription(text);
    show();
    place();
    raise();
    if (milliseconds > 0) leaving_.start(milliseconds);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

void StageStrip::dismiss() {
    leaving_.stop();
    setGraphicsEffect(nullptr);
    hide();
    words_->clear();
}

QString StageStrip::text() const {
    return words_->text();
}

void StageStrip::setFoot(int pixels) {
    if (std::exchange(foot_, pixels) != pixels && isVisible()) place();
}

void StageStrip::fade() {
    auto* effect = new QGraphicsOpacityEffect(this);
    setGraphicsEffect(effect);
    auto* animation = new QPropertyAnimation(effect, "opacity", effect);
    animation->setDuration(kFadeMs);
    animation->setStartValue(1.0);
    animation->setEndValue(0.0);
    // Other words may have come meanwhile, and with them the effect has gone.
    connect(
        animation, &QPropertyAnimation::finished, this,
        [this, effect = QPointer(effect)] {
            if (effect) dismiss();
        },
        Qt::QueuedConnection);
    animation->start();
}

void StageStrip::place() {
    if (std::exchange(placing_, true)) return;
    QFont letters = font();
    letters.setPixelSize(std::max(kSmallestStripLetters, static_cast<int>(kStripLetters * below_->height() + 0.5)));
    words_->setFont(letters);
    const QMargins around = layout()->contentsMargins();
    const int frame = 2 * edgeWidth(Theme::of(this)), beside = around.left() + around.right() + frame;
    const int widest = std::max(1, static_cast<int>(kStripWidth * below_->width()) - beside);
    const QRect wanted = QFontMetrics(letters).boundingRect(QRect(0, 0, widest, 0), Qt::TextWordWrap, words_->text());
    const QSize size(std::min(widest, wanted.width() + 1) + beside,
                     wanted.height() + around.top() + around.bottom() + frame);
    const int top = std::max(0, below_->height() - foot_ - size.height() - 2 * spacing::kMargin);
    setGeometry(QRect(QPoint((below_->width() - size.width()) / 2, top), size));
    placing_ = false;
}

void StageStrip::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::FontChange && isVisible()) place();
}

bool StageStrip::eventFilter(QObject* watched, QEvent* event) {
    if (watched == below_ && event->type() == QEvent::Resize && isVisible()) place();
    return QFrame::eventFilter(watched, event);
}

}  // namespace palimpsest
