// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_docks.h"

#include <QAction>
#include <QCursor>
#include <QDockWidget>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScopedValueRollback>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kFloatingHeight = 28;
constexpr int kButton = 18, kSign = 12;
constexpr QSizeF kGrip(32, 3);

QToolButton* makeTool(const QString& name, const QString& sign, const QString& words, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    withIcon(button, sign, &Theme::quiet);
    button->setAccessibleName(words);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setProperty("grip", true);
    button->setCursor(Qt::ArrowCursor);
    return button;
}

/// Detached panels cannot be moved back on Wayland before Qt 6.6.
bool canFloat() {
#if QT_VERSION < QT_VERSION_CHECK(6, 6, 0)
    return !QGuiApplication::platformName().startsWith(QLatin1String("wayland"));
#else
    return true;
#endif
}

/// Tries an arrangement on panels that nobody sees.
template <class NameOf>
bool isWhole(const QByteArray& arrangement, std::size_t panels, const NameOf& nameOf) {
    QMainWindow trial;
    for (std::size_t i = 0; i < panels; ++i) {
        auto* dock = new QDockWidget(&trial);
        dock->setObjectName(nameOf(i));
        dock->setAttribute(Qt::WA_DontShowOnScreen);
        trial.addDockWidget(Qt::LeftDockWidgetArea, dock);
    }
    return trial.restoreState(arrangement, WindowDocks::kVersion);
}

QWidget* framed(QWidget* panel, int top, const QString& name) {
    auto* frame = new QWidget;
    frame->setObjectName(name);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(WindowDocks::kGap, top, WindowDocks::kGap, 0);
    column->addWidget(panel);
    return frame;
}

}  // namespace

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock),
      dock_(dock),
      name_(makeLabel(dock->windowTitle(), text_size::kText, QFont::DemiBold, false, this)),
      buttons_(new QFrame(dock)),
      float_(makeTool(dock->objectName() + "Float", "detach", tr("Detach or attach %1").arg(dock->windowTitle()),
                      tr("A window of its own, or back into this one"))),
      hide_(makeTool(dock->objectName() + "Hide", "close", tr("Hide %1").arg(dock->windowTitle()),
                     tr("Put this panel away; the Window menu brings it back"))) {
    setObjectName(dock->objectName() + "Title");
    setAccessibleName(tr("Grip of %1").arg(dock->windowTitle()));
    setToolTip(tr("Drag to move %1; double click detaches or attaches it").arg(dock->windowTitle()));
    setCursor(Qt::OpenHandCursor);
    buttons_->setObjectName(dock->objectName() + "Buttons");
    buttons_->setProperty("gripButtons", true);
    buttons_->installEventFilter(this);
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    row->addWidget(float_);
    row->addWidget(hide_);
    connect(float_, &QToolButton::clicked, dock_, [this] { dock_->setFloating(!dock_->isFloating()); });
    connect(hide_, &QToolButton::clicked, this, &DockTitle::hideAsked);
    connect(dock_, &QDockWidget::topLevelChanged, this, &DockTitle::refresh);
    connect(dock_, &QDockWidget::featuresChanged, this, &DockTitle::refresh);
    fitToText(this, [this] { refresh(); });
}

QSize DockTitle::sizeHint() const {
    return {60, dock_->isFloating() ? scaled(kFloatingHeight) : kHeight};
}

bool DockTitle::underPointer() const {
    const QPoint at = dock_->mapFromGlobal(QCursor::pos());
    return underMouse() || (buttons_->isVisible() && buttons_->geometry().contains(at));
}

void DockTitle::refresh() {
    const bool floating = dock_->isFloating();
    name_->setVisible(floating);
    float_->setVisible(dock_->features().testFlag(QDockWidget::DockWidgetFloatable));
    for (QToolButton* button : {float_, hide_}) {
        button->setFixedSize(scaled(kButton), scaled(kButton));
        button->setIconSize({scaled(kSign), scaled(kSign)});
    }
    buttons_->setVisible(floating || underPointer());
    placeButtons();
    updateGeometry();
    update();
}

void DockTitle::placeButtons() {
    name_->setGeometry(rect().adjusted(12, 0, 0, 0));
    buttons_->resize(buttons_->sizeHint());
    const int middle = x() + width() / 2;
    buttons_->move(
        dock_->isFloating() ? x() + width() - buttons_->width() - 4 : middle + static_cast<int>(kGrip.width() / 2) + 6,
        dock_->isFloating() ? y() + (height() - buttons_->height()) / 2 : y());
    buttons_->raise();
}

bool DockTitle::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) refresh();
    return QWidget::eventFilter(watched, event);
}

void DockTitle::paintEvent(QPaintEvent*) {
    if (dock_->isFloating()) return;
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF grip({}, kGrip);
    grip.moveCenter(QRectF(rect()).center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(underMouse() ? theme.quiet : theme.line);
    painter.drawRoundedRect(grip, kGrip.height() / 2, kGrip.height() / 2);
}

WindowDocks::WindowDocks(QWidget* centre, QWidget* parent) : QMainWindow(parent) {
    setObjectName("windowDocks");
    setWindowFlags(Qt::Widget);
    setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    // The column at the left goes down to the floor; what lies at the bottom goes below all else.
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::BottomDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    // Its upper edge stands level with that of the panels below their grips.
    setCentralWidget(framed(centre, DockTitle::kHeight, "centreFrame"));
    resizing_.setSingleShot(true);
    resizing_.setInterval(0);
    connect(&resizing_, &QTimer::timeout, this, &WindowDocks::resizeParts);
    connect(&TextScale::instance(), &TextScale::changed, this, [this] {
        arranged_ = false;
        resizing_.start();
    });
}

QDockWidget* WindowDocks::addPanel(QWidget* panel, const QString& name, const QString& title, Qt::DockWidgetArea area,
                                   std::function<int()> size, const QString& shown) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(name);
    dock->setAccessibleName(title);
    QDockWidget::DockWidgetFeatures features = QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable;
    if (canFloat()) features |= QDockWidget::DockWidgetFloatable;
    dock->setFeatures(features);
    auto* grip = new DockTitle(dock);
    dock->setTitleBarWidget(grip);
    dock->setWidget(framed(panel, 0, name + "Frame"));
    QAction* toggle = dock->toggleViewAction();
    toggle->setObjectName(shown);
    toggle->setText(tr("Show %1").arg(title.toLower()));
    parts_.push_back({dock, area, std::move(size)});
    addDockWidget(area, dock);

    connect(toggle, &QAction::triggered, this, [this, title](bool visible) {
        Q_EMIT arranged(visible ? tr("showing of %1").arg(title) : tr("hiding of %1").arg(title), false);
    });
    connect(grip, &DockTitle::hideAsked, toggle, &QAction::trigger);
    connect(toggle, &QAction::toggled, this, [this] { Q_EMIT sidesChanged(sidesShown()); });
    const auto moved = [this, title] {
        if (applying_) return;
        arranged_ = true;
        Q_EMIT arranged(tr("move of %1").arg(title), true);
    };
    connect(dock, &QDockWidget::topLevelChanged, this, moved);
    connect(dock, &QDockWidget::dockLocationChanged, this, moved);
    return dock;
}

QDockWidget* WindowDocks::addAwayPanel(QWidget* panel, const QString& name, const QString& title,
                                       std::function<int()> size, const QString& shown) {
    QDockWidget* dock = addPanel(panel, name, title, Qt::RightDockWidgetArea, std::move(size), shown);
    parts_.back().away = true;
    dock->hide();
    // Only now it has a place among the others.
    connect(dock->toggleViewAction(), &QAction::triggered, this, [this, dock](bool visible) {
        if (!visible || dock->isFloating() || sized_.contains(dock)) return;
        sized_.append(dock);
        placeBeside(*std::ranges::find(parts_, dock, &Part::dock));
    });
    return dock;
}

void WindowDocks::placeBeside(Part& part) {
    int room = width() - centralWidget()->minimumSizeHint().width();
    QDockWidget* neighbour = nullptr;
    for (const Part& other : parts_) {
        if (other.dock == part.dock || !isSide(other.dock) || !other.dock->toggleViewAction()->isChecked()) continue;
        room -= other.dock->width() + style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, this);
        if (dockWidgetArea(other.dock) == Qt::RightDockWidgetArea) neighbour = other.dock;
    }
    const QScopedValueRollback guard(applying_, true);
    part.given = part.size();
    if (neighbour && room < part.given) tabifyDockWidget(neighbour, part.dock);
    resizeDocks({part.dock}, {part.given}, Qt::Horizontal);
}

QList<QAction*> WindowDocks::shownActions() const {
    QList<QAction*> actions;
    for (const Part& part : parts_) actions.append(part.dock->toggleViewAction());
    return actions;
}

QDockWidget* WindowDocks::dockOf(const QWidget* panel) const {
    for (const Part& part : parts_)
        if (part.dock->isAncestorOf(panel)) return part.dock;
    return nullptr;
}

bool WindowDocks::isSide(const QDockWidget* dock) const {
    const Qt::DockWidgetArea area = dockWidgetArea(const_cast<QDockWidget*>(dock));
    return !dock->isFloating() && (area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea);
}

bool WindowDocks::sidesShown() const {
    return std::any_of(parts_.begin(), parts_.end(), [this](const Part& part) {
        return isSide(part.dock) && part.dock->toggleViewAction()->isChecked();
    });
}

void WindowDocks::setSidesShown(bool shown) {
    if (shown == sidesShown()) return;
    if (shown) {
        const bool known = std::any_of(put_away_.begin(), put_away_.end(), [this](auto* dock) { return isSide(dock); });
        for (const Part& part : parts_)
            if (isSide(part.dock) && (known ? put_away_.contains(part.dock) : !part.away)) part.dock->show();
        put_away_.clear();
    } else {
        put_away_.clear();
        for (const Part& part : parts_) {
            if (!isSide(part.dock) || !part.dock->toggleViewAction()->isChecked()) continue;
            put_away_.append(part.dock);
            part.dock->hide();
        }
    }
    Q_EMIT arranged(shown ? tr("showing of the side panels") : tr("hiding of the side panels"), false);
}

void WindowDocks::reset() {
    const QScopedValueRollback guard(applying_, true);
    for (const Part& part : parts_) {
        part.dock->setFloating(false);
        removeDockWidget(part.dock);
    }
    for (const Part& part : parts_) {
        addDockWidget(part.area, part.dock, part.away ? Qt::Horizontal : Qt::Vertical);
        part.dock->setVisible(!part.away);
    }
    sized_.clear();
    arranged_ = false;
    resizeParts();
}

void WindowDocks::resizeParts() {
    for (Part& part : parts_) {
        const bool upright = part.area == Qt::LeftDockWidgetArea || part.area == Qt::RightDockWidgetArea;
        part.given = part.size();
        if (part.dock->isHidden()) continue;
        resizeDocks({part.dock}, {part.given}, upright ? Qt::Horizontal : Qt::Vertical);
    }
}

/// Under large text the panels around the figures are so large that their size depends on the room left.
void WindowDocks::shareAgain() {
    if (arranged_ || dragging_ || TextScale::instance().factor() <= 1) return;
    if (std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.size() != part.given; }))
        resizing_.start();
}

QList<QSize> WindowDocks::sizes() const {
    QList<QSize> sizes;
    for (const Part& part : parts_) sizes.append(part.dock->size());
    return sizes;
}

bool WindowDocks::restore(const QByteArray& arrangement) {
    const QScopedValueRollback guard(applying_, true);
    // Qt moves some panels before it finds that the rest is missing.
    if (!isWhole(arrangement, parts_.size(), [this](std::size_t i) { return parts_[i].dock->objectName(); }) ||
        !restoreState(arrangement, kVersion))
        return false;
    resizing_.stop();
    arranged_ = arranged_ || !isVisible();  // as it was left when the program was closed
    bringBack();
    return true;
}

void WindowDocks::bringBack() {
    const auto screens = QGuiApplication::screens();
    for (const Part& part : parts_) {
        if (!part.dock->isFloating()) continue;
        const bool seen = std::any_of(screens.begin(), screens.end(), [&](const QScreen* screen) {
            return screen->availableGeometry().intersects(part.dock->geometry());
        });
        if (!seen || !canFloat()) part.dock->setFloating(false);
    }
}

bool WindowDocks::event(QEvent* event) {
    const bool result = QMainWindow::event(event);
    switch (event->type()) {
        // Borders between panels are this widget's own; what lies inside keeps its clicks to itself.
        case QEvent::MouseButtonPress:
            dragging_ = true;
            pressed_sizes_ = sizes();
            break;
        case QEvent::MouseButtonRelease:
            if (std::exchange(dragging_, false)) {
                arranged_ = arranged_ || sizes() != pressed_sizes_;
                Q_EMIT arranged(tr("resizing of panels"), false);
            }
            break;
        case QEvent::LayoutRequest:
        case QEvent::Resize:
        case QEvent::Show:
            shareAgain();
            if (!dragging_) Q_EMIT settled();
            break;
        default:
            break;
    }
    return result;
}

}  // namespace palimpsest
