// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_page.h"

#include <QDir>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kPad = 14, kDrawingHeight = 84, kTitleHeight = 22, kBetweenWords = 10;
constexpr int kUsualWidth = 200, kLeastWidth = 130;

/// A curve that climbs, falls at each session's border and is held up by a second one.
void drawDemo(QPainter& painter, const QRectF& area, const Theme& theme) {
    const auto at = [&](double x, double y) {
        return QPointF(area.left() + x * area.width(), area.bottom() - y * area.height());
    };
    painter.setPen(QPen(theme.line, 1, Qt::DashLine));
    for (const double x : {0.35, 0.7}) painter.drawLine(at(x, 0.02), at(x, 1));
    QPainterPath forgets(at(0, 0.1));
    forgets.cubicTo(at(0.1, 0.7), at(0.2, 0.75), at(0.34, 0.78));
    forgets.lineTo(at(0.37, 0.4));
    forgets.cubicTo(at(0.45, 0.6), at(0.55, 0.6), at(0.69, 0.62));
    forgets.lineTo(at(0.72, 0.25));
    forgets.cubicTo(at(0.8, 0.42), at(0.9, 0.42), at(1, 0.44));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.quiet, 1.5, Qt::DashLine));
    painter.drawPath(forgets);
    QPainterPath keeps(at(0, 0.12));
    keeps.cubicTo(at(0.1, 0.8), at(0.2, 0.86), at(0.35, 0.87));
    keeps.cubicTo(at(0.5, 0.8), at(0.8, 0.86), at(1, 0.84));
    QPainterPath ground(keeps);
    ground.lineTo(at(1, 0));
    ground.lineTo(at(0, 0));
    ground.closeSubpath();
    QColor shade = theme.accent;
    shade.setAlphaF(0.14F);
    painter.fillPath(ground, shade);
    painter.setPen(QPen(theme.accent, 2.5, Qt::SolidLine, Qt::RoundCap));
    painter.drawPath(keeps);
    painter.setBrush(theme.accent);
    painter.drawEllipse(at(1, 0.84) - QPointF(2, 0), 3, 3);
}

/// A star drawn by hand on a pad of large pixels, in which its stroke is seen.
void drawDoodle(QPainter& painter, const QRectF& area, const Theme& theme) {
    constexpr int cells = 12;
    const double pixel = std::floor(area.height() / cells), side = pixel * cells;
    const QRectF pad(area.center().x() - side / 2, area.top() + (area.height() - side) / 2, side, side);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.raised);
    painter.drawRect(pad);
    constexpr std::array<const char*, cells> rows{"............", ".....##.....", ".....##.....", "....#..#....",
                                                  ".####..####.", "..#......#..", "...#....#...", "...#....#...",
                                                  "..#..##..#..", "..#.#..#.#..", "..##....##..", "............"};
    for (int y = 0; y < cells; ++y)
        for (int x = 0; x < cells; ++x)
            if (rows[static_cast<std::size_t>(y)][x] == '#')
                painter.fillRect(QRectF(pad.left() + x * pixel, pad.top() + y * pixel, pixel, pixel), theme.accent);
}

/// Two folders of images, one for each class, in the hues of disjoint and blurry classes.
void drawImages(QPainter& painter, const QRectF& area, const Theme& theme) {
    const double side = std::min(area.height() * 0.34, area.width() * 0.19), gap = side * 0.24;
    const double left = area.center().x() - 2 * side - 1.5 * gap;
    for (int row = 0; row < 2; ++row) {
        const QColor hue = row == 0 ? theme.disjoint : theme.blurry;
        const double top = area.center().y() + (row == 0 ? -side - gap : gap);
        for (int i = 0; i < 4; ++i) {
            const QRectF image(left + i * (side + gap), top, side, side);
            painter.setPen(QPen(theme.line, 1));
            painter.setBrush(theme.raised);
            painter.drawRoundedRect(image, 3, 3);
            painter.setPen(Qt::NoPen);
            QColor shape = theme.quiet;
            shape.setAlphaF(0.75F);
            painter.setBrush(shape);
            const QRectF inner = image.adjusted(side * 0.25, side * 0.25, -side * 0.25, -side * 0.3);
            if (row == 0)
                painter.drawEllipse(inner.adjusted(i, 0, -i * 0.5, i));
            else
                painter.drawPolygon(QPolygonF({{inner.left(), inner.bottom()},
                                               {inner.center().x() + i - 2, inner.top()},
                                               {inner.right(), inner.bottom()}}));
            painter.setBrush(hue);
            painter.drawRoundedRect(QRectF(image.left(), image.bottom() - 2.5, side, 2.5), 1, 1);
        }
    }
}

/// Finished runs in a list, one of them with its curve.
void drawRun(QPainter& painter, const QRectF& area, const Theme& theme) {
    const double line = area.height() / 4;
    for (int i = 0; i < 4; ++i) {
        const QRectF row(area.left() + area.width() * 0.06, area.top() + i * line, area.width() * 0.88, line);
        if (i == 1) {
            QColor ground = theme.accent;
            ground.setAlphaF(0.16F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(ground);
            painter.drawRoundedRect(row.adjusted(-4, 2, 4, -2), 4, 4);
        }
        painter.setPen(QPen(i == 1 ? theme.accent : theme.quiet, 1.5));
        painter.setBrush(i == 1 ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
        painter.drawEllipse(QPointF(row.left() + 6, row.center().y()), 3.5, 3.5);
        painter.setPen(QPen(i == 1 ? theme.text : theme.line, 3, Qt::SolidLine, Qt::RoundCap));
        const double share[] = {0.42, 0.5, 0.34, 0.46};
        painter.drawLine(QPointF(row.left() + 20, row.center().y()),
                         QPointF(row.left() + 20 + row.width() * share[i], row.center().y()));
        painter.drawLine(QPointF(row.right() - row.width() * 0.16, row.center().y()),
                         QPointF(row.right(), row.center().y()));
    }
}

constexpr int kSideBySide = 600;  // pixels; with less room the cards stand below one another
constexpr int kWidest = 860;
constexpr int kShown = 5;

}  // namespace

WelcomeCard::WelcomeCard(Drawing drawing, const QString& title, const QString& words, QWidget* parent)
    : QAbstractButton(parent), drawing_(drawing), words_(words) {
    setText(title);
    setAccessibleName(title);
    setAccessibleDescription(words);
    setToolTip(words);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    fitToText(this, [this] {
        setFont(textFont(font(), text_size::kText));
        updateGeometry();
    });
}

int WelcomeCard::wordsHeight(int width) const {
    const QFontMetrics metrics(textFont(font(), text_size::kText));
    return metrics.boundingRect(QRect(0, 0, std::max(1, width - 2 * kPad), 10000), Qt::TextWordWrap, words_).height();
}

int WelcomeCard::heightForWidth(int width) const {
    return 2 * kPad + scaled(kDrawingHeight) + kBetweenWords + scaled(kTitleHeight) + 4 + wordsHeight(width);
}

QSize WelcomeCard::sizeHint() const {
    return {scaled(kUsualWidth), heightForWidth(scaled(kUsualWidth))};
}

QSize WelcomeCard::minimumSizeHint() const {
    return {scaled(kLeastWidth), heightForWidth(scaled(kLeastWidth))};
}

void WelcomeCard::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.accent : (underMouse() ? theme.quiet : theme.line),
                        edgeWidth(theme) + (hasFocus() ? 1 : 0)));
    painter.setBrush(isDown() || underMouse() ? theme.raised : theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);

    QRectF line = QRectF(rect()).adjusted(kPad, kPad, -kPad, -kPad);
    const QRectF drawing(line.left(), line.top(), line.width(), scaled(kDrawingHeight));
    painter.save();
    switch (drawing_) {
        case Drawing::Demo:
            drawDemo(painter, drawing, theme);
            break;
        case Drawing::Doodle:
            drawDoodle(painter, drawing, theme);
            break;
        case Drawing::Images:
            drawImages(painter, drawing, theme);
            break;
        case Drawing::Run:
            drawRun(painter, drawing, theme);
            break;
    }
    painter.restore();
    line.setTop(drawing.bottom() + kBetweenWords);
    painter.setFont(textFont(font(), text_size::kTitle, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(line.left(), line.top(), line.width(), scaled(kTitleHeight)),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text(), Qt::ElideRight, static_cast<int>(line.width())));
    painter.setFont(textFont(font(), text_size::kText));
    painter.setPen(theme.quiet);
    line.setTop(line.top() + scaled(kTitleHeight) + 4);
    painter.drawText(line, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, words_);
}

void WelcomeCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        click();
    else
        QAbstractButton::keyPressEvent(event);
}

WelcomePage::WelcomePage(QWidget* parent) : QWidget(parent) {
    setObjectName("welcomePage");
    setAccessibleName(tr("Welcome"));
    auto* content = new QWidget;
    content->setObjectName("scrollBody");
    fitToText(content, [content] { content->setMaximumWidth(scaled(kWidest)); });
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(12, 16, 12, 16);
    column->setSpacing(8);
    auto* title = makeLabel(tr("Watch a network learn, forget, and be helped to remember"), 18, QFont::DemiBold, false);
    title->setObjectName("welcomeTitle");
    title->setWordWrap(true);
    auto* words = makeLabel({}, text_size::kText, QFont::Normal, true);
    words->setObjectName("welcomeWords");
    const auto nameKeys = [words] {
        words->setText(KeyNames::instance().filled(
            tr("You cannot break anything. {pauseRun} pauses and goes on, {undo} takes back, {guide} explains.")));
    };
    nameKeys();
    connect(&KeyNames::instance(), &KeyNames::changed, words, nameKeys);
    words->setWordWrap(true);
    column->addStretch(1);
    column->addWidget(title);
    column->addWidget(words);
    column->addSpacing(8);

    cards_ = new QBoxLayout(QBoxLayout::LeftToRight);
    cards_->setSpacing(12);
    const auto card = [&](WelcomeCard::Drawing drawing, const QString& name, const QString& heading,
                          const QString& text, void (WelcomePage::*asked)()) {
        auto* button = new WelcomeCard(drawing, heading, text);
        button->setObjectName(name);
        connect(button, &QAbstractButton::clicked, this, asked);
        cards_->addWidget(button, 1);
    };
    card(WelcomeCard::Drawing::Demo, "welcomeDemo", tr("Watch the demo"),
         tr("Two runs learn and forget side by side, one of them helped by a mask. Then do it yourself."),
         &WelcomePage::demoAsked);
    card(WelcomeCard::Drawing::Doodle, "welcomeDraw", tr("Draw a class"),
         tr("Eight doodles of your own become a class. Watch it being learned in seconds, and see whether it stays."),
         &WelcomePage::drawAsked);
    card(WelcomeCard::Drawing::Images, "welcomeData", tr("Open my data"),
         tr("A folder with one folder of images for each class becomes a stream. Dropping it here does the same."),
         &WelcomePage::dataAsked);
    card(WelcomeCard::Drawing::Run, "welcomeRun", tr("Open a run"),
         tr("A folder that a run has written, here or on another computer: its curves, numbers and settings."),
         &WelcomePage::runAsked);
    column->addLayout(cards_);

    column->addSpacing(12);
    recent_title_ = makeLabel(tr("RECENT"), text_size::kCaption, QFont::DemiBold, true);
    column->addWidget(recent_title_);
    recent_ = new QVBoxLayout;
    recent_->setSpacing(0);
    column->addLayout(recent_);
    auto* leave = makeButton("welcomeLeave", tr("Show the figures"),
                             tr("The curves, or what they will look like; Help > Welcome comes back here"));
    leave->setProperty("link", true);
    leave->setFocusPolicy(Qt::TabFocus);
    connect(leave, &QPushButton::clicked, this, &WelcomePage::leaveAsked);
    auto* lessons = makeButton("welcomeLessons", tr("Lessons"),
                               tr("Eight small courses of experiments with goals, beside the figures"));
    lessons->setProperty("link", true);
    lessons->setFocusPolicy(Qt::TabFocus);
    connect(lessons, &QPushButton::clicked, this, &WelcomePage::lessonsAsked);
    column->addSpacing(4);
    auto* links = new QHBoxLayout;
    links->setSpacing(16);
    links->addWidget(leave);
    links->addWidget(lessons);
    links->addStretch(1);
    column->addLayout(links);
    column->addStretch(2);

    auto* middle = new QWidget;
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    row->addWidget(content, 100);
    row->addStretch(1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->addWidget(makeScroll("welcomeScroll", middle));
    setRecent({});
    fitToText(this, [this] { arrange(); });
}

void WelcomePage::setRecent(const QList<WorkspaceState::Recent>& recent) {
    while (QLayoutItem* item = recent_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    for (const WorkspaceState::Recent& each : recent.mid(0, kShown)) {
        auto* button = makeButton(QString("welcomeRecent%1").arg(recent_->count()), each.title,
                                  tr("Open %1").arg(QDir::toNativeSeparators(each.path)));
        button->setProperty("link", true);
        withIcon(button, "restore", &Theme::quiet);
        button->setFocusPolicy(Qt::TabFocus);
        connect(
            button, &QPushButton::clicked, this, [this, path = each.path] { Q_EMIT recentAsked(path); },
            // The list may be made anew by what is opened.
            Qt::QueuedConnection);
        recent_->addWidget(button, 0, Qt::AlignLeft);
    }
    recent_title_->setVisible(!recent.isEmpty());
}

void WelcomePage::arrange() {
    cards_->setDirection(width() < scaled(kSideBySide) ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

void WelcomePage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

}  // namespace palimpsest
