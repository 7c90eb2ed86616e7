// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "ui/fitting_label.h"
#include "ui/spacing.h"
#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kStretchItem = 2;  // title, caption, stretch, widgets

}  // namespace

Panel::Panel(const QString& title, const QString& caption, QWidget* parent)
    : QFrame(parent), title_text_(title), caption_text_(caption), header_(new QHBoxLayout), body_(new QVBoxLayout) {
    setProperty("panel", true);
    setAttribute(Qt::WA_StyledBackground);
    setAccessibleName(title);

    title_ = makeLabel(title, text_size::kTitle, QFont::DemiBold, false, this);
    title_->setObjectName(QStringLiteral("panelTitle"));
    // A caption gives way before the window grows.
    caption_ = new FittingLabel(this);
    styleLabel(caption_, text_size::kText, QFont::Normal, true);
    caption_->setObjectName(QStringLiteral("panelCaption"));
    caption_->setTexts({caption});
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
    // After the labels' own, which know nothing of headings.
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
    caption_->setTexts({caption});
    caption_->setVisible(!caption.isEmpty());
    header_->setStretch(kStretchItem, caption.isEmpty() ? 1 : 0);
}

void Panel::setHeading(Heading heading) {
    const bool section = heading == Heading::Section;
    title_->setText(section ? title_text_.toUpper() : title_text_);
    heading_ = heading;
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
}

void Panel::addHeaderWidget(QWidget* widget) {
    header_->addWidget(widget, 0, Qt::AlignVCenter);
}

}  // namespace palimpsest
