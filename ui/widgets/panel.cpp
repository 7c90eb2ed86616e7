// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

/// The caption whole, and its first part: the unit, the session.
QStringList captionForms(const QString& caption) {
    QStringList forms{caption};
    if (caption.startsWith(QLatin1String("%, "))) forms.append(QStringLiteral("%"));
    if (const QString first = caption.section(QStringLiteral(" · "), 0, 0); first != caption) forms.append(first);
    return forms;
}

constexpr int kStretchItem = 2;  // title, caption, stretch, widgets

/// Pixels that a tool button is wider with its text beside the icon than without, as Qt has it.
int textWidth(const QToolButton& button) {
    const QFontMetrics metrics = button.fontMetrics();
    return 4 + metrics.size(Qt::TextShowMnemonic, button.text()).width() + 2 * metrics.horizontalAdvance(' ');
}

constexpr int kStripHeight = 36;

}  // namespace

Panel::Panel(const QString& title, const QString& caption, QWidget* parent)
    : QFrame(parent), title_text_(title), caption_text_(caption), header_(new QHBoxLayout), body_(new QVBoxLayout) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(title);

    title_ = makeLabel(title, text_size::kTitle, QFont::DemiBold, false, this);
    title_->setObjectName(QStringLiteral("panelTitle"));
    // A caption is shortened before the window grows.
    caption_ = new FittingLabel(this);
    styleLabel(caption_, text_size::kText, QFont::Normal, true);
    caption_->setObjectName(QStringLiteral("panelCaption"));
    caption_->setTexts(captionForms(caption));
    caption_->setVisible(!caption.isEmpty());

    header_->setContentsMargins(0, 0, 0, 0);
    header_->setSpacing(spacing::kRow);
    header_->addWidget(title_);
    header_->addWidget(caption_, 1);
    header_->addStretch(caption.isEmpty() ? 1 : 0);

    body_->setContentsMargins(0, 0, 0, 0);
    body_->setSpacing(spacing::kRow);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(spacing::kMargin, 10, spacing::kMargin, spacing::kGap);
    column->setSpacing(spacing::kRow);
    column->addLayout(header_);
    column->addLayout(body_, 1);
    // Registered after the labels' own, which know nothing of headings.
    fitToText(this, [this] { fit(); });
}

QString Panel::caption() const {
    return caption_text_;
}

void Panel::setTitle(const QString& title) {
    if (title == title_text_) return;
    title_text_ = title;
    setAccessibleName(title);
    setHeading(heading_);
}

void Panel::setCaption(const QString& caption) {
    if (caption == caption_text_) return;
    caption_text_ = caption;
    caption_->setTexts(captionForms(caption));
    caption_->setVisible(!caption.isEmpty());
    header_->setStretch(kStretchItem, caption.isEmpty() ? 1 : 0);
}

void Panel::setShortTitles(const QStringList& titles) {
    short_titles_ = titles;
    fitHeader();
}

void Panel::setTitleTip(const QString& tip) {
    title_tip_ = tip;
    fitHeader();
}

QString Panel::written(const QString& title) const {
    return heading_ == Heading::Section ? title.toUpper() : title;
}

void Panel::setHeading(Heading heading) {
    const bool section = heading == Heading::Section;
    heading_ = heading;
    title_->setText(written(title_text_));
    fit();
    title_->setForegroundRole(section ? QPalette::PlaceholderText : QPalette::WindowText);
    title_->setProperty("quiet", section);
    caption_->setAlignment((section ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

void Panel::fit() {
    const bool section = heading_ == Heading::Section;
    QFont font = textFont(title_->font(), section ? text_size::kCaption : text_size::kTitle, QFont::DemiBold);
    font.setLetterSpacing(QFont::PercentageSpacing, section ? 105 : 100);
    title_->setFont(font);
    caption_->setFont(textFont(caption_->font(), section ? text_size::kCaption : text_size::kText));
    fitHeader();
}

void Panel::addHeaderWidget(QWidget* widget) {
    header_->addWidget(widget, 0, Qt::AlignVCenter);
    auto* button = qobject_cast<QToolButton*>(widget);
    if (button && button->toolButtonStyle() == Qt::ToolButtonTextBesideIcon && !yielding_.contains(button))
        yielding_.append(button);
}

void Panel::setEdges(int top, int bottom) {
    layout()->setContentsMargins(spacing::kMargin, top, spacing::kMargin, bottom);
}

void Panel::fitHeader() {
    if (!isVisible()) return;  // not laid out yet
    const int gap = header_->spacing();
    // Widths beside the title: wanted, minimum, and those of the texts of buttons.
    int wanted = caption_->isHidden() ? 0 : gap, least = wanted, words = 0;
    for (int i = 0; i < header_->count(); ++i) {
        QWidget* widget = header_->itemAt(i)->widget();
        if (!widget || widget == title_ || widget == caption_ || widget->isHidden()) continue;
        const int hint = std::clamp(widget->sizeHint().width(), widget->minimumWidth(), widget->maximumWidth());
        if (auto* button = qobject_cast<QToolButton*>(widget); button && yielding_.contains(button)) {
            const int own = textWidth(*button);
            const int sign = hint - (button->toolButtonStyle() == Qt::ToolButtonIconOnly ? 0 : own);
            wanted += sign + gap;
            least += sign + gap;
            words += own;
        } else {
            wanted += hint + gap;
            least += std::min(hint, std::max(widget->minimumWidth(), widget->minimumSizeHint().width())) + gap;
        }
    }
    const QMargins edges = layout()->contentsMargins();
    const int room = contentsRect().width() - edges.left() - edges.right();
    const QFontMetrics metrics = title_->fontMetrics();
    const int whole = metrics.horizontalAdvance(written(title_text_));
    const bool named = whole + wanted + words <= room;
    for (QToolButton* button : yielding_)
        button->setToolButtonStyle(named ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
    if (heading_ == Heading::Section) return;  // small already
    QString title = title_text_;
    for (const QString& shorter : short_titles_)
        if (metrics.horizontalAdvance(written(title)) + least > room) title = shorter;
    title_->setText(metrics.elidedText(written(title), Qt::ElideRight, std::max(0, room - least)));
    QStringList tips;
    if (title_->text() != written(title_text_)) tips.append(title_text_);
    if (!title_tip_.isEmpty()) tips.append(title_tip_);
    title_->setToolTip(tips.join('\n'));
}

bool Panel::event(QEvent* event) {
    const bool result = QFrame::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show)
        fitHeader();
    return result;
}

ActionStrip::ActionStrip(const QString& name, const QString& title, QWidget* parent)
    : QFrame(parent), row_(new QHBoxLayout(this)), label_(new FittingLabel) {
    setObjectName(name);
    setAccessibleName(title);
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    row_->setContentsMargins(14, 0, 6, 0);
    row_->setSpacing(8);
    styleLabel(label_, text_size::kText, QFont::DemiBold, false);
    label_->setObjectName(name + QStringLiteral("Text"));
    row_->addWidget(label_, 1);
    fitToText(this, [this] { setFixedHeight(scaled(kStripHeight)); });
    hide();
}

void ActionStrip::setTexts(const QStringList& texts) {
    text_ = texts.value(0);
    label_->setTexts(texts);
    setAccessibleDescription(text_);
}

void ActionStrip::add(QWidget* control) {
    row_->addWidget(control);
}

}  // namespace palimpsest
