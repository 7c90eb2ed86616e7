// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/drawing_pad.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTabletEvent>
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kFaintInk = 24;  // of 255; a smaller difference from the paper is seen by nobody
constexpr int kUsualPixel = 10, kLeastPixel = 6, kPadFrame = 3;  // of the screen
constexpr int kFastStep = 4;                                     // pixels of the picture, with Shift

QPoint insidePad(const QPoint& pixel) {
    return {std::clamp(pixel.x(), 0, DrawingPad::kSide - 1), std::clamp(pixel.y(), 0, DrawingPad::kSide - 1)};
}

/// Dark enough for white lines over it.
bool isDark(const QColor& colour) {
    return qGray(colour.rgb()) < 128;
}

}  // namespace

DrawingPad::DrawingPad(QWidget* parent) : QWidget(parent), image_(kSide, kSide, QImage::Format_RGB32) {
    image_.fill(paper_);
    setAccessibleName(tr("Drawing pad"));
    setToolTip(
        tr("Draw with the mouse or a pen. By keyboard: arrows move the crosshair, with Shift faster, Space draws while "
           "it is held, and E picks up the eraser"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    describe();
}

QSize DrawingPad::sizeHint() const {
    const int side = kSide * kUsualPixel + 2 * kPadFrame;
    return {side, side};
}

QSize DrawingPad::minimumSizeHint() const {
    const int side = kSide * kLeastPixel + 2 * kPadFrame;
    return {side, side};
}

QImage DrawingPad::fitted(const QImage& image, const QColor& paper) {
    QImage small(kSide, kSide, QImage::Format_RGB32);
    small.fill(paper);
    if (image.isNull()) return small;
    const int side = std::min(image.width(), image.height());
    const QRect middle((image.width() - side) / 2, (image.height() - side) / 2, side, side);
    const QImage square = image.copy(middle);
    QPainter(&small).drawImage(0, 0,
                               side == kSide
                                   ? square
                                   : square.convertToFormat(QImage::Format_ARGB32)
                                         .scaled(kSide, kSide, Qt::IgnoreAspectRatio, Qt::SmoothTransformation));
    return small;
}

void DrawingPad::restart(const QImage& image) {
    last_.reset();
    space_ = false;
    undo_.clear();
    redo_.clear();
    image_ = fitted(image, paper_);
    update();
    Q_EMIT historyChanged();
}

void DrawingPad::setImage(const QImage& image) {
    keepStep();
    image_ = fitted(image, paper_);
    update();
    Q_EMIT edited();
}

void DrawingPad::setPaper(const QColor& paper) {
    paper_ = paper;
    update();
}

void DrawingPad::setInk(const QColor& ink) {
    ink_ = ink;
    update();
}

void DrawingPad::setBrush(int width) {
    brush_ = std::clamp(width, 1, kSide);
    update();
}

void DrawingPad::setErasing(bool erasing) {
    erasing_ = erasing;
    update();
}

int DrawingPad::inkOf(const QImage& image, const QColor& paper) {
    int ink = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QRgb dot = image.pixel(x, y);
            ink += std::max({std::abs(qRed(dot) - paper.red()), std::abs(qGreen(dot) - paper.green()),
                             std::abs(qBlue(dot) - paper.blue())}) >= kFaintInk;
        }
    return ink;
}

bool DrawingPad::isBlank() const {
    const QRgb paper = paper_.rgb();
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x)
            if (image_.pixel(x, y) != paper) return false;
    return true;
}

void DrawingPad::keepStep() {
    undo_.append(image_);
    if (undo_.size() > kMostSteps) undo_.removeFirst();
    redo_.clear();
    Q_EMIT historyChanged();
}

void DrawingPad::undo() {
    if (undo_.isEmpty()) return;
    endStroke();
    redo_.append(image_);
    image_ = undo_.takeLast();
    update();
    Q_EMIT historyChanged();
    Q_EMIT edited();
}

void DrawingPad::redo() {
    if (redo_.isEmpty()) return;
    undo_.append(image_);
    image_ = redo_.takeLast();
    update();
    Q_EMIT historyChanged();
    Q_EMIT edited();
}

void DrawingPad::clear() {
    if (isBlank()) return;
    keepStep();
    image_.fill(paper_);
    update();
    Q_EMIT edited();
}

void DrawingPad::dab(const QPoint& pixel) {
    const QRgb colour = (stroke_erases_ ? paper_ : ink_).rgb();
    // Pixels whose centres lie in a disc around the pixel, which is the one behind the middle for even widths.
    const int first = -(brush_ / 2);
    const double middle = first + (brush_ - 1) / 2.0, radius = brush_ / 2.0;
    for (int dy = first; dy < first + brush_; ++dy)
        for (int dx = first; dx < first + brush_; ++dx) {
            const double x = dx - middle, y = dy - middle;
            const QPoint at = pixel + QPoint(dx, dy);
            if (x * x + y * y <= radius * radius && image_.valid(at)) image_.setPixel(at, colour);
        }
}

void DrawingPad::beginStroke(const QPoint& pixel, bool erases) {
    keepStep();
    stroke_erases_ = erases;
    last_ = pixel;
    dab(pixel);
    update();
}

void DrawingPad::strokeTo(const QPoint& pixel) {
    if (!last_ || *last_ == pixel) return;
    // Bresenham's line.
    QPoint at = *last_;
    const int dx = std::abs(pixel.x() - at.x()), dy = -std::abs(pixel.y() - at.y());
    const int right = at.x() < pixel.x() ? 1 : -1, down = at.y() < pixel.y() ? 1 : -1;
    int error = dx + dy;
    while (at != pixel) {
        const int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            at.rx() += right;
        }
        if (twice <= dx) {
            error += dx;
            at.ry() += down;
        }
        dab(at);
    }
    last_ = pixel;
    update();
}

void DrawingPad::endStroke() {
    if (!last_) return;
    last_.reset();
    space_ = false;
    Q_EMIT edited();
}

QRect DrawingPad::area() const {
    const int pixel = std::max(1, (std::min(width(), height()) - 2 * kPadFrame) / kSide);
    const int side = pixel * kSide;
    return {(width() - side) / 2, (height() - side) / 2, side, side};
}

QPoint DrawingPad::pixelAt(const QPointF& position) const {
    const QRect place = area();
    const double pixel = place.width() / static_cast<double>(kSide);
    return {static_cast<int>(std::floor((position.x() - place.x()) / pixel)),
            static_cast<int>(std::floor((position.y() - place.y()) / pixel))};
}

void DrawingPad::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton && event->button() != Qt::RightButton) return QWidget::mousePressEvent(event);
    if (last_) endStroke();
    hover_ = pixelAt(event->position());
    beginStroke(*hover_, erasing_ || pen_erases_ || event->button() == Qt::RightButton);
}

void DrawingPad::mouseMoveEvent(QMouseEvent* event) {
    hover_ = pixelAt(event->position());
    if (event->buttons() != Qt::NoButton && !space_) strokeTo(*hover_);
    update();
}

void DrawingPad::mouseReleaseEvent(QMouseEvent*) {
    if (!space_) endStroke();
}

void DrawingPad::tabletEvent(QTabletEvent* event) {
    // Qt goes on with an event of the mouse, which draws.
    pen_erases_ =
        event->pointerType() == QPointingDevice::PointerType::Eraser && event->type() != QEvent::TabletRelease;
    event->ignore();
}

bool DrawingPad::event(QEvent* event) {
    // The window's shortcuts have the same keys.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const auto modifiers = key->modifiers() & ~(Qt::ShiftModifier | Qt::KeypadModifier);
        switch (key->key()) {
            case Qt::Key_Left:
            case Qt::Key_Right:
            case Qt::Key_Up:
            case Qt::Key_Down:
            case Qt::Key_Space:
            case Qt::Key_E:
                if (modifiers == Qt::NoModifier) event->accept();
                break;
            default:
                break;
        }
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) event->accept();
        if (event->isAccepted()) return true;
    }
    return QWidget::event(event);
}

void DrawingPad::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Undo)) return undo();
    if (event->matches(QKeySequence::Redo)) return redo();
    const int step = event->modifiers() & Qt::ShiftModifier ? kFastStep : 1;
    QPoint by;
    switch (event->key()) {
        case Qt::Key_Left:
            by = {-step, 0};
            break;
        case Qt::Key_Right:
            by = {step, 0};
            break;
        case Qt::Key_Up:
            by = {0, -step};
            break;
        case Qt::Key_Down:
            by = {0, step};
            break;
        case Qt::Key_Space:
            if (!event->isAutoRepeat() && !last_) {
                space_ = true;
                beginStroke(crosshair_, erasing_);
            }
            return;
        case Qt::Key_E:
            if (!(event->modifiers() & ~Qt::ShiftModifier)) return setErasing(!erasing_);
            return QWidget::keyPressEvent(event);
        default:
            return QWidget::keyPressEvent(event);
    }
    crosshair_ = insidePad(crosshair_ + by);
    if (space_) strokeTo(crosshair_);
    describe();
    update();
}

void DrawingPad::keyReleaseEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Space) return QWidget::keyReleaseEvent(event);
    if (!event->isAutoRepeat() && space_) endStroke();
}

void DrawingPad::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void DrawingPad::focusOutEvent(QFocusEvent* event) {
    if (space_) endStroke();
    QWidget::focusOutEvent(event);
    update();
}

void DrawingPad::leaveEvent(QEvent*) {
    hover_.reset();
    update();
}

void DrawingPad::describe() {
    setAccessibleDescription(tr("%1 by %1 pixels; the crosshair is in column %2, row %3")
                                 .arg(kSide)
                                 .arg(crosshair_.x() + 1)
                                 .arg(crosshair_.y() + 1));
}

void DrawingPad::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    const QRect place = area();
    painter.setPen(Qt::NoPen);
    painter.setBrush(hasFocus() ? theme.accent : theme.line);
    painter.drawRoundedRect(place.adjusted(-kPadFrame, -kPadFrame, kPadFrame, kPadFrame), kPadFrame, kPadFrame);
    // Without smoothing, so that each pixel is a square.
    painter.drawImage(place, image_);
    const int pixel = place.width() / kSide;
    const auto square = [&](const QPoint& at, int side) {
        return QRect(place.topLeft() + at * pixel, QSize(side * pixel, side * pixel));
    };
    painter.setClipRect(place);
    const auto outline = [&](const QRect& rect) {
        // Two lines, so that it is seen over every colour.
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(Qt::white, 1));
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
        painter.setPen(QPen(Qt::black, 1));
        painter.drawRect(rect.adjusted(-1, -1, 0, 0));
    };
    if (hover_) outline(square(*hover_ - QPoint(brush_ / 2, brush_ / 2), brush_));
    if (!hasFocus() || hover_) return;
    const QColor over = isDark(QColor(image_.pixel(crosshair_))) ? Qt::white : Qt::black;
    painter.setPen(QPen(over, 1, Qt::DotLine));
    const QRect cross = square(crosshair_, 1);
    painter.drawLine(place.left(), cross.center().y(), cross.left(), cross.center().y());
    painter.drawLine(cross.right(), cross.center().y(), place.right(), cross.center().y());
    painter.drawLine(cross.center().x(), place.top(), cross.center().x(), cross.top());
    painter.drawLine(cross.center().x(), cross.bottom(), cross.center().x(), place.bottom());
    outline(square(crosshair_ - QPoint(brush_ / 2, brush_ / 2), brush_));
}

}  // namespace palimpsest
