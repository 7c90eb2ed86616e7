// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fold.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/style/text_style.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kFoldSpacing = 8;

}  // namespace

Fold::Fold(const QString& name, const QString& title, QWidget* parent)
    : QWidget(parent),
      title_(title),
      heading_(new QPushButton(title.toUpper())),
      summary_(new FittingLabel),
      content_(new QWidget),
      body_(new QVBoxLayout(content_)) {
    setObjectName(name);
    heading_->setObjectName(name + "Heading");
    heading_->setProperty("link", true);
    heading_->setProperty("flush", true);
    heading_->setCheckable(true);
    // No focus by click: Space keeps meaning pause and resume after one.
    heading_->setFocusPolicy(Qt::TabFocus);
    heading_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    fitToText(heading_,
              [this] { heading_->setFont(textFont(heading_->font(), text_size::kCaption, QFont::DemiBold)); });
    styleLabel(summary_, text_size::kCaption, QFont::Normal, true);
    summary_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 0, 0);
    head->setSpacing(kFoldSpacing);
    head->addWidget(heading_);
    head->addWidget(summary_, 1);
    // Keeps the heading at the left where there is no summary.
    head->addStretch(0);
    body_->setContentsMargins(0, 0, 0, 0);
    body_->setSpacing(kFoldSpacing);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(content_);

    connect(heading_, &QPushButton::toggled, this, [this](bool open) {
        apply(open);
        Q_EMIT toggled(open);
    });
    heading_->setChecked(true);
}

void Fold::apply(bool open) {
    withIcon(heading_, open ? "chevron-down" : "chevron-right", &Theme::quiet);
    heading_->setAccessibleName(open ? tr("%1, open").arg(title_) : tr("%1, folded").arg(title_));
    heading_->setToolTip(open ? tr("Fold this section away") : tr("Open this section"));
    content_->setVisible(open);
    summary_->setVisible(!open);
}

bool Fold::isOpen() const {
    return heading_->isChecked();
}

void Fold::setOpen(bool open) {
    heading_->setChecked(open);
}

void Fold::setSummary(const QStringList& texts) {
    summary_->setTexts(texts);
    heading_->setAccessibleDescription(texts.value(0));
}

QString Fold::summary() const {
    return heading_->accessibleDescription();
}

void Fold::reveal(const QWidget* widget) {
    for (QWidget* around = widget->parentWidget(); around; around = around->parentWidget())
        if (auto* fold = qobject_cast<Fold*>(around)) fold->setOpen(true);
}

}  // namespace palimpsest
