// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/term_card.h"

#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QScreen>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <numeric>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kCardWidth = 292, kPictureHeight = 92, kTermEdge = 6;
constexpr double kCaptionHeight = 18, kBarb = 3.5;
constexpr double kTermCorner = 3;

/// Painter, colours and room of a picture.
struct Sketch {
    QPainter& painter;
    const Theme& theme;
    QRectF room;

    void box(const QRectF& rect, const QColor& fill) const {
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(rect, kTermCorner, kTermCorner);
    }
    void frame(const QRectF& rect) const {
        painter.setPen(QPen(theme.line, 1));
        painter.setBrush(theme.raised);
        painter.drawRoundedRect(rect, kTermCorner, kTermCorner);
    }
    void line(const QPointF& from, const QPointF& to) const {
        painter.setPen(QPen(theme.line, 1));
        painter.drawLine(from, to);
    }
    /// Arrow in the painter's pen.
    void arrow(const QPointF& from, const QPointF& to) const {
        const QPointF along = (to - from) / QLineF(from, to).length();
        const QPointF across(-along.y(), along.x());
        painter.drawLine(from, to);
        for (const double side : {-kBarb, kBarb}) painter.drawLine(to - 5 * along + side * across, to);
    }
    void words(const QRectF& rect, const QString& text, Qt::Alignment where = Qt::AlignCenter) const {
        painter.setPen(theme.quiet);
        painter.drawText(rect, static_cast<int>(where), text);
    }
};

/// Images of one class in three sessions, a square each.
void drawSessions(const Sketch& sketch, const std::array<int, 3>& images, const QColor& hue) {
    constexpr int kRow = 6, kSquare = 9, kStep = 12;
    const double width = (sketch.room.width() - 2 * 10) / 3;
    for (std::size_t session = 0; session < images.size(); ++session) {
        const QRectF box(sketch.room.left() + static_cast<double>(session) * (width + 10), sketch.room.top(), width,
                         sketch.room.height() - kCaptionHeight);
        sketch.frame(box);
        for (int i = 0; i < images[session]; ++i)
            sketch.box({box.left() + 7 + i % kRow * kStep, box.top() + 8 + i / kRow * kStep, kSquare, kSquare}, hue);
        sketch.words({box.left(), box.bottom(), width, kCaptionHeight}, TermPicture::tr("session %1").arg(session + 1));
    }
}

/// Two sessions of four classes: evenly filled, and not.
void drawEffectiveClasses(const Sketch& sketch) {
    const std::array<std::array<double, 4>, 2> sizes{{{0.62, 0.62, 0.62, 0.62}, {1, 0.95, 0.03, 0.02}}};
    // exp(H) of these sizes.
    const std::array<QString, 2> words{TermPicture::tr("counts as 4"), TermPicture::tr("counts as 2.2")};
    const double width = (sketch.room.width() - 20) / 2;
    for (std::size_t which = 0; which < sizes.size(); ++which) {
        const double left = sketch.room.left() + static_cast<double>(which) * (width + 20);
        const double ground = sketch.room.bottom() - kCaptionHeight, step = width / 4;
        for (std::size_t i = 0; i < sizes[which].size(); ++i) {
            const double height = sizes[which][i] * (sketch.room.height() - kCaptionHeight);
            sketch.box({left + static_cast<double>(i) * step + 4, ground - height, step - 8, height},
                       sketch.theme.series[i % sketch.theme.series.size()]);
        }
        sketch.line({left, ground}, {left + width, ground});
        sketch.words({left, ground, width, kCaptionHeight}, words[which]);
    }
}

/// Scores of five classes, three of them hidden from the step.
void drawLogits(const Sketch& sketch) {
    const std::array<double, 5> scores{0.45, 0.95, 0.35, 0.7, 0.25};
    const double ground = sketch.room.bottom() - kCaptionHeight, step = sketch.room.width() / 5;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const bool open = i == 1 || i == 3;
        const double height = scores[i] * (sketch.room.height() - kCaptionHeight);
        const QRectF bar(sketch.room.left() + static_cast<double>(i) * step + 10, ground - height, step - 20, height);
        if (open) {
            sketch.box(bar, sketch.theme.accent);
        } else {
            sketch.painter.setPen(QPen(sketch.theme.quiet, 1, Qt::DotLine));
            sketch.painter.setBrush(Qt::NoBrush);
            sketch.painter.drawRoundedRect(bar, kTermCorner, kTermCorner);
        }
        sketch.words({sketch.room.left() + static_cast<double>(i) * step, ground, step, kCaptionHeight},
                     open ? TermPicture::tr("learns") : TermPicture::tr("hidden"));
    }
    sketch.line({sketch.room.left(), ground}, {sketch.room.right(), ground});
}

/// Scores of five classes, one pulled up, three pushed down, one hidden.
void drawPush(const Sketch& sketch) {
    const std::array<double, 5> pushes{-0.35, 0.9, -0.2, 0, -0.3};
    const double line = sketch.room.top() + 0.55 * (sketch.room.height() - kCaptionHeight);
    const double step = sketch.room.width() / 5, unit = 0.52 * (sketch.room.height() - kCaptionHeight);
    for (std::size_t i = 0; i < pushes.size(); ++i) {
        const double middle = sketch.room.left() + (static_cast<double>(i) + 0.5) * step;
        const QString word = pushes[i] > 0    ? TermPicture::tr("its own")
                             : pushes[i] == 0 ? TermPicture::tr("hidden")
                                              : TermPicture::tr("other");
        sketch.words({middle - step / 2, sketch.room.bottom() - kCaptionHeight, step, kCaptionHeight}, word);
        sketch.painter.setPen(QPen(pushes[i] > 0 ? sketch.theme.accent : sketch.theme.text, 2));
        if (pushes[i] != 0) sketch.arrow({middle, line}, {middle, line - pushes[i] * unit});
        sketch.painter.setBrush(sketch.theme.quiet);
        if (pushes[i] == 0) sketch.painter.drawEllipse(QPointF(middle, line), 2, 2);
    }
    sketch.line({sketch.room.left(), line}, {sketch.room.right(), line});
}

/// Prompts and pieces of an image, on their way into the network.
void drawPrompt(const Sketch& sketch) {
    const double size = 22, step = 26, middle = (sketch.room.top() + sketch.room.bottom() - kCaptionHeight) / 2;
    double x = sketch.room.left();
    for (int i = 0; i < 6; ++i, x += step) {
        if (i == 2) x += 8;
        sketch.box({x, middle - size / 2, size, size}, i < 2 ? sketch.theme.accent : sketch.theme.quiet);
    }
    sketch.words({sketch.room.left(), middle + size / 2, 2 * step, kCaptionHeight}, TermPicture::tr("prompts"));
    sketch.words({sketch.room.left() + 2 * step + 8, middle + size / 2, 4 * step, kCaptionHeight},
                 TermPicture::tr("the image"));
    sketch.painter.setPen(QPen(sketch.theme.quiet, 1.5));
    const double tip = x + 18;
    sketch.arrow({x + 2, middle}, {tip, middle});
    const QRectF network(tip + 6, sketch.room.top() + 6, sketch.room.right() - tip - 6,
                         sketch.room.height() - kCaptionHeight - 12);
    sketch.frame(network);
    sketch.words(network, TermPicture::tr("network,\nas it is"));
}

/// An accuracy along the stream, between 0 and 1, and where it stands in the picture.
QPolygonF curveOf(const Sketch& sketch, const std::array<double, 9>& heights) {
    QPolygonF curve;
    for (std::size_t i = 0; i < heights.size(); ++i)
        curve.append({sketch.room.left() + sketch.room.width() * 0.86 * static_cast<double>(i) / (heights.size() - 1),
                      sketch.room.bottom() - heights[i] * sketch.room.height()});
    return curve;
}

void drawAxes(const Sketch& sketch) {
    sketch.line(sketch.room.bottomLeft(), sketch.room.bottomRight());
    sketch.line(sketch.room.bottomLeft(), sketch.room.topLeft());
}

void drawAnytime(const Sketch& sketch) {
    constexpr std::array kHeights{0.3, 0.8, 0.9, 0.6, 0.75, 0.8, 0.55, 0.65, 0.7};
    const QPolygonF curve = curveOf(sketch, kHeights);
    QPolygonF area = curve;
    area << QPointF(curve.last().x(), sketch.room.bottom()) << sketch.room.bottomLeft();
    QColor fill = sketch.theme.accent;
    fill.setAlphaF(0.25F);
    sketch.painter.setPen(Qt::NoPen);
    sketch.painter.setBrush(fill);
    sketch.painter.drawPolygon(area);
    sketch.painter.setPen(QPen(sketch.theme.accent, 2));
    sketch.painter.drawPolyline(curve);
    const double average = std::accumulate(kHeights.begin(), kHeights.end(), 0.0) / kHeights.size();
    const double mean = sketch.room.bottom() - average * sketch.room.height();
    sketch.painter.setPen(QPen(sketch.theme.text, 1, Qt::DashLine));
    sketch.painter.drawLine(QPointF(sketch.room.left(), mean), QPointF(curve.last().x(), mean));
    sketch.words({curve.last().x() + 4, mean - 9, sketch.room.right() - curve.last().x() - 2, 18},
                 TermPicture::tr("A_AUC"), Qt::AlignVCenter | Qt::AlignLeft);
    drawAxes(sketch);
}

void drawForgetting(const Sketch& sketch) {
    const QPolygonF curve = curveOf(sketch, {0.1, 0.6, 0.92, 0.88, 0.7, 0.6, 0.5, 0.42, 0.38});
    sketch.painter.setPen(QPen(sketch.theme.series[0], 2));
    sketch.painter.drawPolyline(curve);
    const double best = curve[2].y(), last = curve.last().y(), x = curve.last().x() + 5;
    sketch.painter.setPen(QPen(sketch.theme.quiet, 1, Qt::DashLine));
    sketch.painter.drawLine(curve[2], QPointF(x, best));
    sketch.painter.setPen(QPen(sketch.theme.worse, 1.6));
    sketch.arrow({x, best + 1}, {x, last});
    sketch.words({x + 5, best, sketch.room.right() - x - 3, last - best}, TermPicture::tr("lost"),
                 Qt::AlignVCenter | Qt::AlignLeft);
    drawAxes(sketch);
}

}  // namespace

TermPicture::TermPicture(Term term, QWidget* parent) : QWidget(parent), term_(term) {
    fitToText(this, [this] { setFixedHeight(scaled(kPictureHeight)); });
}

void TermPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    // Drawn for the usual size of text, and enlarged with it.
    const double scale = static_cast<double>(height()) / kPictureHeight;
    const Theme& theme = Theme::of(this);
    painter.scale(scale, scale);
    QFont small = font();
    small.setPixelSize(text_size::kCaption);
    painter.setFont(small);
    const Sketch sketch{painter, theme, QRectF(1, 4, width() / scale - 2, kPictureHeight - 6)};
    switch (term_) {
        case Term::Disjoint:
            return drawSessions(sketch, {0, 20, 0}, theme.disjoint);
        case Term::Blurry:
            return drawSessions(sketch, {3, 15, 2}, theme.blurry);
        case Term::EffectiveClasses:
            return drawEffectiveClasses(sketch);
        case Term::Logit:
            return drawLogits(sketch);
        case Term::Push:
            return drawPush(sketch);
        case Term::Prompt:
            return drawPrompt(sketch);
        case Term::Anytime:
            return drawAnytime(sketch);
        case Term::Forgetting:
            return drawForgetting(sketch);
    }
}

TermCard::TermCard(Term term, QWidget* parent)
    : QFrame(parent, Qt::Popup),
      term_(term),
      more_(makeLink("termMore", tr("More in the guide"), tr("Opens the guide where it explains this"))) {
    const TermText content = textOf(term);
    setObjectName(QStringLiteral("termCard"));
    setAccessibleName(content.title);
    setAccessibleDescription(content.text);
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_StyledBackground);
    setProperty("panel", true);

    QLabel* title = makeLabel(content.title, text_size::kText, QFont::DemiBold, false);
    title->setObjectName(QStringLiteral("termTitle"));
    QLabel* words = makeLabel(content.text, text_size::kText, QFont::Normal, false);
    words->setObjectName(QStringLiteral("termWords"));
    words->setWordWrap(true);
    connect(more_, &QToolButton::clicked, this, [this, content] {
        close();
        Q_EMIT TermCards::instance().guideAsked(content.page, content.section);
    });

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing::kMargin, spacing::kGap, spacing::kMargin, spacing::kRow);
    column->setSpacing(spacing::kRow);
    column->addWidget(title);
    column->addWidget(new TermPicture(term));
    column->addWidget(words);
    column->addWidget(more_, 0, Qt::AlignLeft);
    fitToText(this, [this] { setFixedWidth(scaled(kCardWidth)); });
    more_->setFocus();
}

void TermCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Return && event->key() != Qt::Key_Enter) return QFrame::keyPressEvent(event);
    // A key that is held opened the card.
    if (!event->isAutoRepeat()) more_->click();
}

TermCards& TermCards::instance() {
    static TermCards cards;
    return cards;
}

TermCard* TermCards::show(Term term, QWidget* anchor, const QRect& part) {
    auto* card = new TermCard(term, anchor->window());
    card->ensurePolished();
    const int width = card->minimumWidth();
    card->resize(width, card->layout()->totalHeightForWidth(width));
    const QRect beside(anchor->mapToGlobal(part.topLeft()), part.size());
    const QRect screen = anchor->screen()->availableGeometry().adjusted(kTermEdge, kTermEdge, -kTermEdge, -kTermEdge);
    const bool below = beside.bottom() + kTermEdge + card->height() <= screen.bottom();
    const int top = below ? beside.bottom() + kTermEdge : beside.top() - kTermEdge - card->height();
    card->move(std::clamp(beside.left(), screen.left(), std::max(screen.left(), screen.right() - card->width())),
               std::clamp(top, screen.top(), std::max(screen.top(), screen.bottom() - card->height())));
    card->show();
    return card;
}

}  // namespace palimpsest
