// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/action_book.h"

#include <QAction>
#include <algorithm>
#include <optional>

#include "ui/state/key_names.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

constexpr qsizetype kLongestKeys = 60;  // of the text that stands for keys in the settings

/// The keys a text names; nothing where it names none.
std::optional<QList<QKeySequence>> keysOf(const QVariant& value) {
    const QString text = value.toString();
    if (text.isEmpty()) return QList<QKeySequence>();
    if (text.size() > kLongestKeys) return {};
    const QKeySequence keys = QKeySequence::fromString(text, QKeySequence::PortableText);
    for (int i = 0; i < keys.count(); ++i)
        if (keys[static_cast<uint>(i)].key() == Qt::Key_unknown) return {};
    if (keys.isEmpty()) return {};
    return QList<QKeySequence>{keys};
}

}  // namespace

ActionBook::ActionBook(QObject* parent) : QObject(parent) {
    connect(this, &ActionBook::keysChanged, this, [this] {
        for (const Entry& entry : entries_)
            KeyNames::instance().set(entry.action->objectName(), entry.title, entry.action->shortcut());
        KeyNames::instance().notify();
    });
}

QAction* ActionBook::make(Command command, const QString& group, QObject* parent) {
    const CommandRow& row = commandRow(command);
    auto* action = new QAction(row.title, parent);
    add(command, action, group);
    action->setCheckable(row.checkable);
    if (!row.tip.isEmpty()) action->setToolTip(row.tip);
    return action;
}

QString ActionBook::wordsOf(const QAction* action) const {
    const auto found = std::ranges::find(commands_, action);
    return found == commands_.end() ? QString() : commandRow(static_cast<Command>(found - commands_.begin())).words;
}

void ActionBook::add(Command command, QAction* action, const QString& group) {
    const CommandRow& row = commandRow(command);
    action->setObjectName(row.name);
    if (*row.icon != '\0') action->setIcon(icon(row.icon));
    commands_[static_cast<std::size_t>(command)] = action;
    add(action, group, row.keys);
}

void ActionBook::add(QAction* action, const QString& group, const QList<QKeySequence>& standard) {
    QList<QKeySequence> keys = standard;
    keys.removeAll(QKeySequence());
    action->setShortcuts(keys);
    // Beside those of its group, whenever it comes.
    const auto last =
        std::find_if(entries_.crbegin(), entries_.crend(), [&](const Entry& e) { return e.group == group; });
    const qsizetype place = last == entries_.crend() ? entries_.size() : entries_.crend() - last;
    entries_.insert(place, {action, group, plainTitle(action), keys});
    KeyNames::instance().set(action->objectName(), plainTitle(action), action->shortcut());
}

QString ActionBook::title(const QAction* action) const {
    const Entry* entry = find(action);
    return entry ? entry->title : QString();
}

QString ActionBook::plainTitle(const QAction* action) {
    return QString(action->text()).remove('&').remove(" …");
}

QString ActionBook::keysText(const QAction* action) {
    QStringList keys;
    for (const QKeySequence& each : action->shortcuts()) keys.append(each.toString(QKeySequence::NativeText));
    return keys.join(QStringLiteral(", "));
}

QString ActionBook::tip(const QString& text, const QAction* action) {
    const QString keys = action ? keysText(action) : QString();
    return keys.isEmpty() ? text : QString("%1 (%2)").arg(text, keys);
}

const ActionBook::Entry* ActionBook::find(const QAction* action) const {
    const auto same =
        std::find_if(entries_.cbegin(), entries_.cend(), [&](const Entry& e) { return e.action == action; });
    return same == entries_.cend() ? nullptr : &*same;
}

QAction* ActionBook::owner(const QKeySequence& keys, const QAction* other) const {
    if (keys.isEmpty()) return nullptr;
    for (const Entry& entry : entries_)
        if (entry.action != other && entry.action->shortcuts().contains(keys)) return entry.action;
    return nullptr;
}

void ActionBook::free(const QList<QKeySequence>& keys, const QAction* keeper) {
    for (const QKeySequence& each : keys)
        while (QAction* holder = owner(each, keeper)) {
            QList<QKeySequence> left = holder->shortcuts();
            left.removeAll(each);
            holder->setShortcuts(left);
        }
}

void ActionBook::setKeys(QAction* action, const QKeySequence& keys) {
    free({keys}, action);
    action->setShortcuts(keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
    Q_EMIT keysChanged();
}

bool ActionBook::changed(const QAction* action) const {
    const Entry* entry = find(action);
    return entry && action->shortcuts() != entry->standard;
}

void ActionBook::reset(QAction* action) {
    const Entry* entry = find(action);
    if (!entry) return;
    free(entry->standard, action);
    action->setShortcuts(entry->standard);
    Q_EMIT keysChanged();
}

void ActionBook::resetAll() {
    for (const Entry& entry : entries_) entry.action->setShortcuts(entry.standard);
    Q_EMIT keysChanged();
}

QVariantMap ActionBook::changes() const {
    QVariantMap result;
    for (const Entry& entry : entries_)
        if (changed(entry.action))
            result[entry.action->objectName()] = entry.action->shortcut().toString(QKeySequence::PortableText);
    return result;
}

void ActionBook::apply(const QVariantMap& changes) {
    for (const Entry& entry : entries_) {
        const auto change = changes.constFind(entry.action->objectName());
        if (change == changes.cend()) continue;
        const auto keys = keysOf(*change);
        if (!keys) continue;
        free(*keys, entry.action);
        entry.action->setShortcuts(*keys);
    }
    Q_EMIT keysChanged();
}

}  // namespace palimpsest
