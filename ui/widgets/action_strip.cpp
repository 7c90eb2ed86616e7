// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/action_strip.h"

#include <QHBoxLayout>

#include "ui/style/text_style.h"
#include "ui/widgets/fitting_label.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kHeight = 36;

}  // namespace

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
    fitToText(this, [this] { setFixedHeight(scaled(kHeight)); });
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
