// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_kind_box.h"

#include <QComboBox>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include "ui/style/spacing.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

struct Kind {
    const char *value, *title, *help;
};
/// The first is the usual one.
constexpr Kind kKinds[] = {
    {"fam", QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox", "Forgetting-aware (FAM)"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox",
                       "Looks for prompts that stay good when other classes are learned, as in MISA.")},
    {"sam", QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox", "Sharpness-aware (SAM)"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox",
                       "Looks for prompts that stay good when they are pushed where they are most sensitive.")},
    {"naive", QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox", "Naive"),
     QT_TRANSLATE_NOOP("palimpsest::AdaptationKindBox",
                       "Plain steps down the loss; the fastest, since each needs one "
                       "pass only.")}};

}  // namespace

AdaptationKindBox::AdaptationKindBox(QWidget* parent)
    : QWidget(parent), kind_(new QComboBox), note_(makeWords(text_size::kCaption, QFont::Normal, true)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kClose);
    QLabel* title = makeLabel(tr("HOW THEY LEARN"), text_size::kCaption, QFont::DemiBold, true);
    kind_->setObjectName("adaptationKind");
    kind_->setAccessibleName(tr("How the prompts learn"));
    kind_->setToolTip(tr("How the prompts learn: forgetting-aware, sharpness-aware or naive"));
    kind_->setFocusPolicy(Qt::StrongFocus);
    guardWheel(kind_);
    // The plain delegate honours the style sheet's padding in the list.
    kind_->setItemDelegate(new QStyledItemDelegate(kind_));
    for (const Kind& kind : kKinds) {
        kind_->addItem(tr(kind.title), QString(kind.value));
        kind_->setItemData(kind_->count() - 1, tr(kind.help), Qt::ToolTipRole);
    }
    title->setBuddy(kind_);
    note_->setObjectName("adaptationKindNote");
    connect(kind_, &QComboBox::activated, this, [this] { own_ = true; });
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        showNote();
        Q_EMIT changed();
    });
    column->addWidget(title);
    column->addWidget(kind_);
    column->addWidget(note_);
    showNote();
}

QString AdaptationKindBox::kind() const {
    return kind_->currentData().toString();
}

void AdaptationKindBox::follow(const QString& named) {
    if (own_) return;
    const int index = kind_->findData(named);
    if (index >= 0) kind_->setCurrentIndex(index);
}

void AdaptationKindBox::showNote() {
    note_->setText(kind_->currentData(Qt::ToolTipRole).toString());
}

}  // namespace palimpsest
