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
constexpr double kTermCorner = 3;

/// What is painted with: colours that stand for the same things as in the figures.
struct Pen {
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
    void words(const QRectF& rect, const QString& text, Qt::Alignment where = Qt::AlignCenter) const {
        painter.setPen(theme.quiet);
        painter.drawText(rect, static_cast<int>(where), text);
    }
};

/// Images of one class in three sessions, a square each.
void drawSessions(const Pen& pen, const std::array<int, 3>& images, const QColor& hue) {
    constexpr int kRow = 6, kSquare = 9, kStep = 12;
    const double width = (pen.room.width() - 2 * 10) / 3, caption = 18;
    for (std::size_t session = 0; session < images.size(); ++session) {
        const QRectF box(pen.room.left() + static_cast<double>(session) * (width + 10), pen.room.top(), width,
                         pen.room.height() - caption);
        pen.frame(box);
        for (int i = 0; i < images[session]; ++i)
            pen.box({box.left() + 7 + i % kRow * kStep, box.top() + 8 + i / kRow * kStep, kSquare, kSquare}, hue);
        pen.words({box.left(), box.bottom(), width, caption}, TermPicture::tr("session %1").arg(session + 1));
    }
}

/// Two sessions of four classes: evenly filled, and not.
void drawEffectiveClasses(const Pen& pen) {
    const std::array<std::array<double, 4>, 2> sizes{{{0.62, 0.62, 0.62, 0.62}, {1, 0.95, 0.03, 0.02}}};
    // exp(H) of these sizes.
    const std::array<QString, 2> words{TermPicture::tr("counts as 4"), TermPicture::tr("counts as 2.2")};
    const double width = (pen.room.width() - 20) / 2, caption = 18;
    for (std::size_t which = 0; which < sizes.size(); ++which) {
        const double left = pen.room.left() + static_cast<double>(which) * (width + 20);
        const double ground = pen.room.bottom() - caption, step = width / 4;
        for (std::size_t i = 0; i < sizes[which].size(); ++i) {
            const double height = sizes[which][i] * (pen.room.height() - caption);
            pen.box({left + static_cast<double>(i) * step + 4, ground - height, step - 8, height},
                    pen.theme.series[i % pen.theme.series.size()]);
        }
        pen.painter.setPen(QPen(pen.theme.line, 1));
        pen.painter.drawLine(QPointF(left, ground), QPointF(left + width, ground));
        pen.words({left, ground, width, caption}, words[which]);
    }
}

/// Scores of five classes, three of them hidden from the step.
void drawLogits(const Pen& pen) {
    const std::array<double, 5> scores{0.45, 0.95, 0.35, 0.7, 0.25};
    const double caption = 18, ground = pen.room.bottom() - caption, step = pen.room.width() / 5;
    for (std::size_t i = 0; i < scores.size(); ++i) {
        const bool open = i == 1 || i == 3;
        const double height = scores[i] * (pen.room.height() - caption);
        const QRectF bar(pen.room.left() + static_cast<double>(i) * step + 10, ground - height, step - 20, height);
        if (open) {
            pen.box(bar, pen.theme.accent);
        } else {
            pen.painter.setPen(QPen(pen.theme.quiet, 1, Qt::DotLine));
            pen.painter.setBrush(Qt::NoBrush);
            pen.painter.drawRoundedRect(bar, kTermCorner, kTermCorner);
        }
        pen.words({pen.room.left() + static_cast<double>(i) * step, ground, step, caption},
                  open ? TermPicture::tr("learns") : TermPicture::tr("hidden"));
    }
    pen.painter.setPen(QPen(pen.theme.line, 1));
    pen.painter.drawLine(QPointF(pen.room.left(), ground), QPointF(pen.room.right(), ground));
}

/// Prompts and pieces of an image, on their way into the network.
void drawPrompt(const Pen& pen) {
    const double caption = 18, size = 22, step = 26, middle = (pen.room.top() + pen.room.bottom() - caption) / 2;
    double x = pen.room.left();
    for (int i = 0; i < 6; ++i, x += step) {
        if (i == 2) x += 8;
        pen.box({x, middle - size / 2, size, size}, i < 2 ? pen.theme.accent : pen.theme.quiet);
    }
    pen.words({pen.room.left(), middle + size / 2, 2 * step, caption}, TermPicture::tr("prompts"));
    pen.words({pen.room.left() + 2 * step + 8, middle + size / 2, 4 * step, caption}, TermPicture::tr("the image"));
    pen.painter.setPen(QPen(pen.theme.quiet, 1.5));
    const double tip = x + 18;
    pen.painter.drawLine(QPointF(x + 2, middle), QPointF(tip, middle));
    pen.painter.drawLine(QPointF(tip - 5, middle - 4), QPointF(tip, middle));
    pen.painter.drawLine(QPointF(tip - 5, middle + 4), QPointF(tip, middle));
    const QRectF network(tip + 6, pen.room.top() + 6, pen.room.right() - tip - 6, pen.room.height() - caption - 12);
    pen.frame(network);
    pen.words(network, TermPicture::tr("network,\nas it is"));
}

/// An accuracy along the stream, between 0 and 1, and where it stands in the picture.
QPolygonF curveOf(const Pen& pen, const std::array<double, 9>& heights) {
    QPolygonF curve;
    for (std::size_t i = 0; i < heights.size(); ++i)
        curve.append({pen.room.left() + pen.room.width() * 0.86 * static_cast<double>(i) / (heights.size() - 1),
                      pen.room.bottom() - heights[i] * pen.room.height()});
    return curve;
}

void drawAxes(const Pen& pen) {
    pen.painter.setPen(QPen(pen.theme.line, 1));
    pen.painter.drawLine(pen.room.bottomLeft(), pen.room.bottomRight());
    pen.painter.drawLine(pen.room.bottomLeft(), pen.room.topLeft());
}

void drawAnytime(const Pen& pen) {
    constexpr std::array kHeights{0.3, 0.8, 0.9, 0.6, 0.75, 0.8, 0.55, 0.65, 0.7};
    const QPolygonF curve = curveOf(pen, kHeights);
    QPolygonF area = curve;
    area << QPointF(curve.last().x(), pen.room.bottom()) << pen.room.bottomLeft();
    QColor fill = pen.theme.accent;
    fill.setAlphaF(0.25F);
    pen.painter.setPen(Qt::NoPen);
    pen.painter.setBrush(fill);
    pen.painter.drawPolygon(area);
    pen.painter.setPen(QPen(pen.theme.accent, 2));
    pen.painter.drawPolyline(curve);
    const double average = std::accumulate(kHeights.begin(), kHeights.end(), 0.0) / kHeights.size();
    const double mean = pen.room.bottom() - average * pen.room.height();
    pen.painter.setPen(QPen(pen.theme.text, 1, Qt::DashLine));
    pen.painter.drawLine(QPointF(pen.room.left(), mean), QPointF(curve.last().x(), mean));
    pen.words({curve.last().x() + 4, mean - 9, pen.room.right() - curve.last().x() - 2, 18}, TermPicture::tr("A_AUC"),
              Qt::AlignVCenter | Qt::AlignLeft);
    drawAxes(pen);
}

void drawForgetting(const Pen& pen) {
    const QPolygonF curve = curveOf(pen, {0.1, 0.6, 0.92, 0.88, 0.7, 0.6, 0.5, 0.42, 0.38});
    pen.painter.setPen(QPen(pen.theme.series[0], 2));
    pen.painter.drawPolyline(curve);
    const double best = curve[2].y(), last = curve.last().y(), x = curve.last().x() + 5;
    pen.painter.setPen(QPen(pen.theme.quiet, 1, Qt::DashLine));
    pen.painter.drawLine(curve[2], QPointF(x, best));
    pen.painter.setPen(QPen(pen.theme.worse, 1.6));
    pen.painter.drawLine(QPointF(x, best + 1), QPointF(x, last));
    pen.painter.drawLine(QPointF(x - 3, last - 5), QPointF(x, last));
    pen.painter.drawLine(QPointF(x + 3, last - 5), QPointF(x, last));
    pen.words({x + 5, best, pen.room.right() - x - 3, last - best}, TermPicture::tr("lost"),
              Qt::AlignVCenter | Qt::AlignLeft);
    drawAxes(pen);
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
    const Pen pen{painter, theme, QRectF(1, 4, width() / scale - 2, kPictureHeight - 6)};
    switch (term_) {
        case Term::Disjoint:
            return drawSessions(pen, {0, 20, 0}, theme.disjoint);
        case Term::Blurry:
            return drawSessions(pen, {3, 15, 2}, theme.blurry);
        case Term::EffectiveClasses:
            return drawEffectiveClasses(pen);
        case Term::Logit:
            return drawLogits(pen);
        case Term::Prompt:
            return drawPrompt(pen);
        case Term::Anytime:
            return drawAnytime(pen);
        case Term::Forgetting:
            return drawForgetting(pen);
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
