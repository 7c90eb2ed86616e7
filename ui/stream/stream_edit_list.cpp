// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_edit_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/support/error.h"
#include "ui/state/experiment_draft.h"
#include "ui/style/text_style.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr const char* kKey = "stream.edits";
constexpr int kEditRowHeight = 18;
constexpr int kMostRows = 4;  // more are scrolled to

}  // namespace

StreamEditList::StreamEditList(ExperimentDraft* draft, QWidget* parent)
    : QWidget(parent),
      draft_(draft),
      mark_(makeLabel({}, text_size::kCaption, QFont::DemiBold, false)),
      list_(new QListWidget),
      remove_(makeLink("removeStreamEdit", tr("Remove"), tr("Take the chosen edit back"), text_size::kCaption)),
      clear_(makeLink("removeStreamEdits", tr("Remove all"), tr("Back to the stream as it was drawn"),
                      text_size::kCaption)) {
    setObjectName("streamEdits");
    mark_->setObjectName("streamEditedMark");
    mark_->setToolTip(tr("Classes were taken to other sessions by hand, so this is no longer the drawn stream"));
    list_->setObjectName("streamEditList");
    list_->setAccessibleName(tr("Edits of the stream"));
    list_->setToolTip(tr("Classes that were taken to another session; Delete takes an edit back"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    list_->installEventFilter(this);
    fitToText(list_, [this] {
        list_->setFont(textFont(list_->font(), text_size::kCaption));
        refresh();
    });

    withIcon(remove_, "remove", &Theme::quiet);
    withIcon(clear_, "restore", &Theme::quiet);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(mark_, 1);
    head->addWidget(remove_);
    head->addWidget(clear_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(head);
    column->addWidget(list_);

    connect(remove_, &QToolButton::clicked, this, &StreamEditList::removeSelected);
    connect(clear_, &QToolButton::clicked, this, &StreamEditList::removeAll);
    connect(list_, &QListWidget::itemSelectionChanged, this, [this] { remove_->setEnabled(list_->currentRow() >= 0); });
    connect(draft_, &ExperimentDraft::changed, this, [this](const QString& key) {
        if (key.isEmpty() || key == kKey) refresh();
    });
    refresh();
}

void StreamEditList::setStream(std::shared_ptr<const PlannedStream> stream) {
    stream_ = std::move(stream);
    refresh();
}

void StreamEditList::move(int label, int from, int to, bool whole) {
    if (!stream_) return;
    const ClassHome home = classHomes(stream_->plan)[static_cast<std::size_t>(label)];
    std::int64_t drawn = home.session;
    for (const AppliedEdit& applied : stream_->plan.edits)
        if (applied.edit.label == label) drawn = applied.drawn_session;
    // The images of a blurry class come from several sessions, so bringing them home is an edit, too.
    if (home.blurry) drawn = -1;
    keep(withEdit(edits_, {label, home.blurry && !whole ? from : StreamEdit::kEverySession, to}, drawn));
}

void StreamEditList::removeSelected() {
    const int row = list_->currentRow();
    if (row < 0) return;
    if (edits_.empty()) return removeAll();
    std::vector<StreamEdit> edits = edits_;
    edits.erase(edits.begin() + row);
    keep(edits);
    list_->setCurrentRow(std::min(row, list_->count() - 1));
}

void StreamEditList::removeAll() {
    keep({});
}

void StreamEditList::keep(const std::vector<StreamEdit>& edits) {
    draft_->set(kKey, toText(edits));
}

bool StreamEditList::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Delete || key == Qt::Key_Backspace) {
            removeSelected();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

QString StreamEditList::textOf(std::size_t place) const {
    const StreamEdit& edit = edits_[place];
    const auto label = static_cast<std::size_t>(edit.label);
    const bool named = stream_ && label < stream_->labels->class_names.size();
    const QString name =
        named ? QString::fromStdString(stream_->labels->class_names[label]) : tr("class %1").arg(edit.label);
    const bool cell = edit.from != StreamEdit::kEverySession;
    const QString text =
        cell ? tr("%1: session %2 → %3").arg(name, QString::number(edit.from + 1), QString::number(edit.to + 1))
             : tr("%1 → session %2").arg(name, QString::number(edit.to + 1));
    // Numbers of a stream with other edits, planned a moment ago, would be wrong.
    const bool applied = stream_ && place < stream_->plan.edits.size() && stream_->plan.edits[place].edit == edit;
    if (!applied) return text;
    const std::int64_t moved = stream_->plan.edits[place].moved;
    return text + QStringLiteral(" · ") + (moved == 0 ? tr("no images there") : tr("%1 images").arg(countText(moved)));
}

void StreamEditList::refresh() {
    const std::string& written = draft_->experiment().stream.edits;
    const int row = list_->currentRow();
    list_->clear();
    bool readable = true;
    try {
        edits_ = editList(written);
    } catch (const Error&) {
        // An edit from a file that cannot be read is shown as it is, to be removed.
        edits_.clear();
        readable = false;
        list_->addItem(QString::fromStdString(written));
    }
    for (std::size_t i = 0; i < edits_.size(); ++i) list_->addItem(textOf(i));
    for (int i = 0; i < list_->count(); ++i) {
        list_->item(i)->setSizeHint({0, scaled(kEditRowHeight)});
        list_->item(i)->setToolTip(readable ? QString::fromStdString(toText(edits_[static_cast<std::size_t>(i)]))
                                            : list_->item(i)->text());
    }
    list_->setFixedHeight(scaled(kEditRowHeight) * std::min(list_->count(), kMostRows) + 2);
    list_->setCurrentRow(std::min(row, list_->count() - 1));
    remove_->setEnabled(list_->currentRow() >= 0);
    mark_->setText(list_->count() == 1 ? tr("✎ Edited") : tr("✎ Edited · %1 edits").arg(list_->count()));
    setVisible(list_->count() > 0);
}

}  // namespace palimpsest
