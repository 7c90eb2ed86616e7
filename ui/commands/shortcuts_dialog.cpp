// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/shortcuts_dialog.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "ui/commands/action_book.h"
#include "ui/commands/fuzzy_matcher.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

bool isModifier(int key) {
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
           key == Qt::Key_AltGr || key == Qt::Key_CapsLock || key == Qt::Key_NumLock || key == Qt::Key_unknown ||
           key == 0;
}

bool isReserved(int key, Qt::KeyboardModifiers modifiers) {
    const bool plain = (modifiers & ~Qt::ShiftModifier) == 0;
    return plain && (key == Qt::Key_Tab || key == Qt::Key_Backtab || key == Qt::Key_Return || key == Qt::Key_Enter);
}

using spacing::kGap;
constexpr int kKeysWidth = 190;
enum Column { kCommand, kKeys, kColumns };
constexpr int kActionRole = Qt::UserRole;

/// The action of an item; null: it is a heading.
QAction* actionOf(const QTreeWidgetItem* item) {
    return item->data(kCommand, kActionRole).value<QAction*>();
}

}  // namespace

KeyCapture::KeyCapture(QWidget* parent) : QPushButton(parent) {
    setAutoDefault(false);
}

void KeyCapture::setIdleText(const QString& text) {
    idle_text_ = text;
    if (!listening_) setText(text);
}

void KeyCapture::listen() {
    listening_ = true;
    setText(tr("Press the new keys …"));
    setFocus(Qt::OtherFocusReason);
}

void KeyCapture::stop() {
    listening_ = false;
    setText(idle_text_);
}

void KeyCapture::press(int key, Qt::KeyboardModifiers modifiers) {
    if (isModifier(key)) return;
    stop();
    if (key == Qt::Key_Escape && modifiers == Qt::NoModifier) return;
    // Shift is part of what Backtab means, and the pad of numbers has the same keys as the rest.
    modifiers &= ~Qt::KeypadModifier;
    const QKeySequence keys(QKeyCombination(modifiers, static_cast<Qt::Key>(key)));
    if (isReserved(key, modifiers))
        Q_EMIT reserved(keys.toString(QKeySequence::NativeText));
    else
        Q_EMIT captured(keys);
}

bool KeyCapture::event(QEvent* event) {
    if (!listening_) return QPushButton::event(event);
    // Accepted before any shortcut of the window, and before Tab moves the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        press(key->key(), key->modifiers());
        return true;
    }
    if (event->type() == QEvent::KeyRelease) return true;
    return QPushButton::event(event);
}

void KeyCapture::focusOutEvent(QFocusEvent* event) {
    if (listening_) stop();
    QPushButton::focusOutEvent(event);
}

ShortcutsDialog::ShortcutsDialog(ActionBook* book, QWidget* parent)
    : QDialog(parent), book_(book), search_(new QLineEdit), list_(new QTreeWidget) {
    setObjectName("shortcutsDialog");
    setWindowTitle(tr("Keyboard shortcuts"));
    setModal(false);
    resize(scaled(620), scaled(620));
    search_->setObjectName("shortcutsSearch");
    search_->setAccessibleName(tr("Search commands"));
    search_->setToolTip(tr("Part of a command's name, or its keys"));
    search_->setPlaceholderText(tr("Search commands or keys"));
    search_->setClearButtonEnabled(true);
    search_->installEventFilter(this);
    list_->setObjectName("shortcutsList");
    list_->setAccessibleName(tr("Commands and their keys"));
    list_->setToolTip(tr("Return or double click, then press the new keys"));
    list_->setColumnCount(kColumns);
    list_->setHeaderLabels({tr("Command"), tr("Keys")});
    list_->setRootIsDecorated(false);
    list_->setIndentation(14);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformRowHeights(true);
    list_->header()->setSectionResizeMode(kCommand, QHeaderView::Stretch);
    list_->header()->setSectionResizeMode(kKeys, QHeaderView::Fixed);
    list_->header()->setStretchLastSection(false);
    list_->installEventFilter(this);

    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(8, 8, 8, 8);
    inside->addWidget(list_);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGap, kGap, kGap, kGap);
    column->setSpacing(kGap);
    column->addWidget(search_);
    column->addWidget(panel, 1);
    column->addWidget(makeEditor());
    fitToText(this, [this] { list_->header()->resizeSection(kKeys, scaled(kKeysWidth)); });

    fill();
    connect(search_, &QLineEdit::textChanged, this, &ShortcutsDialog::filter);
    connect(list_, &QTreeWidget::currentItemChanged, this, [this] {
        showNote({});
        refreshEditor();
    });
    connect(list_, &QTreeWidget::itemDoubleClicked, this, [this] {
        if (current()) keys_->listen();
    });
    connect(book_, &ActionBook::keysChanged, this, &ShortcutsDialog::refresh);
    refresh();
}

QWidget* ShortcutsDialog::makeEditor() {
    title_ = makeLabel({}, text_size::kText, QFont::DemiBold, false);
    title_->setObjectName("shortcutTitle");
    keys_ = new KeyCapture;
    keys_->setObjectName("shortcutKeys");
    keys_->setToolTip(tr("Press this, then the new keys; Escape leaves them as they are"));
    none_ = makeButton("shortcutNone", tr("No keys"), tr("Take the keys away from this command"));
    reset_ = makeButton("shortcutReset", tr("Reset"), tr("Give this command the keys it comes with"));
    all_ = makeButton("shortcutResetAll", tr("Reset all"), tr("Give every command the keys it comes with"));
    withIcon(none_, "close");
    withIcon(reset_, "restore");
    over_ = makeButton("shortcutTakeOver", tr("Take them over"), tr("The other command loses these keys"));
    over_->hide();
    note_ = makeTextLabel(text_size::kText, QFont::Normal, false);
    note_->setObjectName("shortcutNote");
    note_->setAccessibleName(tr("What there is to know about these keys"));

    connect(keys_, &QPushButton::clicked, keys_, &KeyCapture::listen);
    connect(keys_, &KeyCapture::captured, this, &ShortcutsDialog::assign);
    connect(keys_, &KeyCapture::reserved, this, [this](const QString& keys) {
        showNote(tr("%1 moves through the window or presses its buttons, so no command can have it.").arg(keys));
    });
    connect(none_, &QPushButton::clicked, this, [this] { assign({}); });
    connect(reset_, &QPushButton::clicked, this, [this] {
        showNote({});
        if (QAction* action = current()) book_->reset(action);
    });
    connect(all_, &QPushButton::clicked, this, [this] {
        showNote({});
        book_->resetAll();
    });
    connect(over_, &QPushButton::clicked, this, &ShortcutsDialog::reassign);

    auto* editor = new QWidget;
    auto* column = new QVBoxLayout(editor);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(title_);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(keys_, 1);
    row->addWidget(none_);
    row->addWidget(reset_);
    row->addWidget(all_);
    column->addLayout(row);
    auto* notes = new QHBoxLayout;
    notes->setSpacing(8);
    notes->addWidget(note_, 1);
    notes->addWidget(over_, 0, Qt::AlignTop);
    column->addLayout(notes);
    // Its room is kept, so that nothing jumps when there is something to say.
    fitToText(this, [this] { note_->setMinimumHeight(scaled(36)); });
    return editor;
}

void ShortcutsDialog::fill() {
    QTreeWidgetItem* group = nullptr;
    for (const ActionBook::Entry& entry : book_->entries()) {
        if (!group || group->text(kCommand) != entry.group) {
            group = new QTreeWidgetItem(list_, {entry.group});
            group->setFlags(Qt::ItemIsEnabled);
            group->setFirstColumnSpanned(true);
            group->setExpanded(true);
            group->setForeground(kCommand, palette().placeholderText());
        }
        auto* item = new QTreeWidgetItem(group, {entry.title});
        item->setData(kCommand, kActionRole, QVariant::fromValue(entry.action));
    }
    if (group) list_->setCurrentItem(list_->topLevelItem(0)->child(0));
}

void ShortcutsDialog::filter(const QString& query) {
    const FuzzyMatcher matcher(query);
    QTreeWidgetItem* first = nullptr;
    for (int g = 0; g < list_->topLevelItemCount(); ++g) {
        QTreeWidgetItem* group = list_->topLevelItem(g);
        bool any = false;
        for (int i = 0; i < group->childCount(); ++i) {
            QTreeWidgetItem* item = group->child(i);
            const bool shown =
                matcher.match(item->text(kCommand), item->text(kKeys) + ' ' + group->text(kCommand)).has_value();
            item->setHidden(!shown);
            if (shown && !first) first = item;
            any = any || shown;
        }
        group->setHidden(!any);
    }
    if (const QTreeWidgetItem* chosen = list_->currentItem(); first && (!chosen || chosen->isHidden()))
        list_->setCurrentItem(first);
}

void ShortcutsDialog::refresh() {
    for (QTreeWidgetItemIterator it(list_); *it; ++it) {
        const QAction* action = actionOf(*it);
        if (!action) continue;
        QFont font = list_->font();
        // Keys that the user chose stand out.
        font.setBold(book_->changed(action));
        (*it)->setText(kKeys, ActionBook::keysText(action));
        (*it)->setFont(kKeys, font);
    }
    refreshEditor();
}

void ShortcutsDialog::refreshEditor() {
    const QAction* action = current();
    for (QWidget* part : std::initializer_list<QWidget*>{keys_, none_, reset_}) part->setEnabled(action);
    title_->setText(action ? book_->title(action) : tr("Choose a command"));
    const QString keys = action ? ActionBook::keysText(action) : QString();
    keys_->setIdleText(keys.isEmpty() ? tr("No keys") : keys);
    keys_->setAccessibleName(tr("Keys of %1").arg(title_->text()));
    none_->setEnabled(!keys.isEmpty());
    reset_->setEnabled(action && book_->changed(action));
}

QAction* ShortcutsDialog::current() const {
    const QTreeWidgetItem* item = list_->currentItem();
    return item ? actionOf(item) : nullptr;
}

void ShortcutsDialog::choose(const QAction* action) {
    for (QTreeWidgetItemIterator it(list_); *it; ++it)
        if (actionOf(*it) == action) list_->setCurrentItem(*it);
}

void ShortcutsDialog::assign(const QKeySequence& keys) {
    QAction* action = current();
    if (!action) return;
    showNote({});
    if (const QAction* other = book_->owner(keys, action)) {
        wanted_ = keys;
        showNote(tr("%1 belongs to “%2”.").arg(keys.toString(QKeySequence::NativeText), book_->title(other)), true);
        return;
    }
    book_->setKeys(action, keys);
}

void ShortcutsDialog::reassign() {
    QAction* action = current();
    const QAction* other = book_->owner(wanted_, action);
    if (!action || !other) return;
    const QString sentence = tr("“%1” has no keys now.").arg(book_->title(other));
    const bool bare = other->shortcuts().size() == 1;
    book_->setKeys(action, wanted_);
    showNote(bare ? sentence : QString());
    keys_->setFocus(Qt::OtherFocusReason);
}

void ShortcutsDialog::showNote(const QString& sentence, bool conflict) {
    note_->setText(sentence);
    over_->setVisible(conflict);
    if (!conflict) wanted_ = {};
}

bool ShortcutsDialog::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress) return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (watched == search_ && (key == Qt::Key_Down || key == Qt::Key_Return || key == Qt::Key_Enter)) {
        list_->setFocus(Qt::OtherFocusReason);
        return true;
    }
    if (watched == list_ && (key == Qt::Key_Return || key == Qt::Key_Enter) && current()) {
        keys_->listen();
        return true;
    }
    return false;
}

}  // namespace palimpsest
