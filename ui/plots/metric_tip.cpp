// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/metric_tip.h"

#include <QEvent>
#include <QLabel>
#include <QTextDocumentFragment>
#include <QVBoxLayout>
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

MetricTip::MetricTip(QWidget* window) : QFrame(window), words_(new QLabel) {
    setObjectName(QStringLiteral("metricTip"));
    setAccessibleName(tr("What the number means"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setProperty("panel", true);
    words_->setObjectName(QStringLiteral("metricTipWords"));
    words_->setTextFormat(Qt::RichText);
    words_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kTipPad, kTipPad - 2, kTipPad, kTipPad);
    column->addWidget(words_);
    fitToText(this, [this] {
        words_->setFont(textFont(words_->font(), text_size::kText));
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
    words_->setText(text);
    words_->setFixedWidth(scaled(kWidth) - 2 * kTipPad);
    setAccessibleDescription(this->text());
    adjustSize();
}

QString MetricTip::text() const {
    return QTextDocumentFragment::fromHtml(words_->text()).toPlainText();
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

}  // namespace palimpsest
