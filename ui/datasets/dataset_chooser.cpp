// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/datasets/dataset_chooser.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>

#include "ui/datasets/dataset_library.h"
#include "ui/experiment/option_editor.h"
#include "ui/state/engine_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kMarkRole = Qt::UserRole + 1;  // after the one that holds the data set's name
constexpr int kMarkGap = 16, kMarkPad = 8;
constexpr int kArrow = 20, kWidest = 190;  // of the closed chooser
constexpr int kFrame = 2;                  // around it, both sides together

/// A quiet word at the right end of the row.
class MarkDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        painter->setFont(textFont(option.font, text_size::kCaption));
        painter->setPen(Theme::of(option.widget).quiet);
        painter->drawText(option.rect.adjusted(0, 0, -kMarkPad, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(kMarkRole).toString());
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QFontMetrics metrics(textFont(option.font, text_size::kCaption));
        const QString mark = index.data(kMarkRole).toString();
        const int room = mark.isEmpty() ? 0 : kMarkGap + kMarkPad + metrics.horizontalAdvance(mark);
        return QStyledItemDelegate::sizeHint(option, index) + QSize(room, 0);
    }
};

}  // namespace

DatasetChooser::DatasetChooser(OptionEditor* editor, DatasetLibrary* library)
    : QObject(editor), box_(qobject_cast<QComboBox*>(editor->control())), library_(library) {
    editor->setCommit(
        [this](const OptionValue& value) { Q_EMIT chosen(QString::fromStdString(std::get<std::string>(value))); });
    box_->setItemDelegate(new MarkDelegate(box_));
    // The box is as wide as the data set it names, not as the longest name there is.
    box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    connect(box_, &QComboBox::currentIndexChanged, this, &DatasetChooser::fit);
    box_->installEventFilter(this);
    connect(library_, &DatasetLibrary::cardsChanged, this, &DatasetChooser::mark);
    mark();
}

bool DatasetChooser::eventFilter(QObject* object, QEvent* event) {
    if (event->type() == QEvent::Show || event->type() == QEvent::FontChange) fit();
    return QObject::eventFilter(object, event);
}

void DatasetChooser::fit() {
    const int name = box_->fontMetrics().horizontalAdvance(box_->currentText());
    box_->setFixedWidth(std::min(name + scaled(kArrow) + kFrame, scaled(kWidest)));
}

void DatasetChooser::mark() {
    for (int i = 0; i < box_->count(); ++i) {
        const DatasetCard* card = library_->find(box_->itemData(i).toString());
        const bool missing = card && !card->present;
        const QString title = box_->itemText(i);
        box_->setItemData(i, missing ? tr("missing") : QString(), kMarkRole);
        box_->setItemData(i, missing ? tr("%1, missing").arg(title) : title, Qt::AccessibleTextRole);
        if (!card) continue;
        const QString summary = QString::fromStdString(card->summary), advice = withOptionTitles(card->missing);
        box_->setItemData(i, missing && !advice.isEmpty() ? summary + '\n' + advice : summary, Qt::ToolTipRole);
    }
    // The list may be wider than the heading it drops from.
    box_->view()->setMinimumWidth(
        std::max(box_->view()->sizeHintForColumn(0) + 2 * kMarkPad, box_->view()->minimumWidth()));
}

}  // namespace palimpsest
