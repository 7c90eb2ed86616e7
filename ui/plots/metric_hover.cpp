// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/metric_hover.h"

#include <QEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QTextDocumentFragment>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kWidth = 400;
constexpr int kTipPad = 12, kFar = 8, kEdge = 4;

QString html(const std::string& text) {
    return QString::fromStdString(text).toHtmlEscaped();
}

QString paragraph(int above, const QColor& colour, const QString& inside) {
    return QStringLiteral("<p style=\"margin:%1px 0 0 0; color:%2\">%3</p>")
        .arg(scaled(above))
        .arg(colour.name(), inside);
}

QString sideHtml(const MetricSide& side, const Theme& theme) {
    QString text;
    if (!side.tag.empty()) {
        const QString value = side.value ? percentText(*side.value) + QStringLiteral(" %") : QStringLiteral("–");
        text += QStringLiteral(
                    "<table width=\"100%\" cellpadding=\"0\" cellspacing=\"0\" style=\"margin-top:%1px\"><tr>"
                    "<td style=\"color:%2\">%3</td><td align=\"right\"><b>%4</b></td></tr></table>")
                    .arg(scaled(8))
                    .arg(theme.quiet.name(), html(side.tag), value);
    }
    if (!side.formula.empty()) text += paragraph(3, theme.text, QString::fromStdString(side.formula));
    if (!side.worked.empty()) text += paragraph(3, theme.accent, html(side.worked));
    if (!side.counted.empty()) text += paragraph(1, theme.text, html(side.counted));
    for (const std::string& line : side.details) text += paragraph(1, theme.text, html(line));
    if (!side.undefined.empty())
        text += paragraph(
            3, theme.text,
            QStringLiteral("<span style=\"color:%1\">▲</span> ").arg(theme.attention.name()) + html(side.undefined));
    return side.meaning.empty() ? text : text + paragraph(3, theme.quiet, html(side.meaning));
}

}  // namespace

MetricTip::MetricTip(QWidget* window) : QFrame(window), label_(new QLabel) {
    setObjectName(QStringLiteral("metricTip"));
    setAccessibleName(tr("What the number means"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setProperty("panel", true);
    label_->setObjectName(QStringLiteral("metricTipWords"));
    label_->setTextFormat(Qt::RichText);
    label_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kTipPad, kTipPad - 2, kTipPad, kTipPad);
    column->addWidget(label_);
    fitToText(this, [this] {
        label_->setFont(textFont(label_->font(), text_size::kText));
        write();
    });
    hide();
}

void MetricTip::setCard(const MetricCard& card, const QString& run) {
    card_ = card;
    run_ = run;
    write();
}

void MetricTip::write() {
    if (card_.sides.empty()) return;
    const Theme& theme = Theme::of(this);
    QString text =
        QStringLiteral("<p style=\"margin:0\"><b>%1</b>&nbsp; %2</p>").arg(html(card_.symbol), html(card_.title));
    QStringList about;
    if (!run_.isEmpty()) about.push_back(run_.toHtmlEscaped());
    if (!card_.stage.empty()) about.push_back(html(card_.stage));
    if (!about.isEmpty()) text += paragraph(1, theme.quiet, about.join(QStringLiteral(" · ")));
    for (const MetricSide& side : card_.sides) text += sideHtml(side, theme);
    label_->setText(text);
    label_->setFixedWidth(scaled(kWidth) - 2 * kTipPad);
    setAccessibleDescription(this->text());
    adjustSize();
}

QString MetricTip::text() const {
    return QTextDocumentFragment::fromHtml(label_->text()).toPlainText();
}

void MetricTip::showBeside(const QRect& place) {
    adjustSize();
    const QRect room = parentWidget()->rect().adjusted(kEdge, kEdge, -kEdge, -kEdge);
    int y = place.bottom() + kFar;
    if (y + height() > room.bottom()) y = place.top() - kFar - height();
    move(std::clamp(place.left(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(y, room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    raise();
}

void MetricTip::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) write();
    QFrame::changeEvent(event);
}

MetricHover::MetricHover(QWidget* watched, Ask ask, QWidget* keys)
    : QObject(watched), watched_(watched), keys_(keys ? keys : watched), ask_(std::move(ask)) {
    watched_->setMouseTracking(true);
    watched_->installEventFilter(this);
    if (keys_ != watched_) keys_->installEventFilter(this);
}

bool MetricHover::present(std::optional<QPoint> point) {
    const std::optional<Answer> answer = ask_(point);
    if (!answer) return false;
    QWidget* window = watched_->window();
    if (!tip_ || tip_->parentWidget() != window) {
        delete tip_;
        tip_ = new MetricTip(window);
    }
    place_ = answer->place;
    tip_->setCard(answer->card, answer->run);
    tip_->showBeside({watched_->mapTo(window, place_.topLeft()), place_.size()});
    keys_->setAccessibleDescription(tip_->text());
    return true;
}

bool MetricHover::putAway() {
    if (!tip_ || !tip_->isVisible()) return false;
    tip_->hide();
    return true;
}

bool MetricHover::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::ToolTip:
            if (watched == watched_ && present(static_cast<QHelpEvent*>(event)->pos())) return true;
            break;
        case QEvent::MouseMove:
            if (watched == watched_ && !place_.contains(static_cast<QMouseEvent*>(event)->pos())) putAway();
            break;
        case QEvent::Leave:
        case QEvent::MouseButtonPress:
        case QEvent::Wheel:
        case QEvent::FocusOut:
        case QEvent::Hide:
            putAway();
            break;
        case QEvent::KeyPress: {
            if (watched != keys_) break;
            const auto* key = static_cast<QKeyEvent*>(event);
            const bool help = key->key() == Qt::Key_F1 && key->modifiers() == Qt::ShiftModifier;
            const bool enter = return_ && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter);
            if (help || enter) {
                if (putAway() || present(std::nullopt)) return true;
                break;
            }
            // The key that begins a combination means nothing yet.
            if (key->key() == Qt::Key_Shift || key->key() == Qt::Key_Control || key->key() == Qt::Key_Alt) break;
            // Escape is for the card alone while there is one.
            if (putAway() && key->key() == Qt::Key_Escape) return true;
            break;
        }
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace palimpsest
