// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/key_names.h"

#include <QRegularExpression>

namespace palimpsest {

KeyNames& KeyNames::instance() {
    static KeyNames names;
    return names;
}

QKeySequence KeyNames::standard(const QString& command) {
    static const QHash<QString, QKeySequence> keys{
        {"startRun", QKeySequence(Qt::Key_F5)},           {"pauseRun", QKeySequence(Qt::Key_Space)},
        {"stepRun", QKeySequence(Qt::Key_Right)},         {"stopRun", QKeySequence(Qt::SHIFT | Qt::Key_F5)},
        {"undo", QKeySequence(Qt::CTRL | Qt::Key_Z)},     {"guide", QKeySequence(Qt::Key_F1)},
        {"forkHere", QKeySequence(Qt::CTRL | Qt::Key_B)}, {"changeRun", QKeySequence(Qt::CTRL | Qt::Key_Return)}};
    return keys.value(command);
}

QString KeyNames::of(const QString& command) const {
    const auto entry = entries_.constFind(command);
    const QKeySequence keys = entry == entries_.cend() ? standard(command) : entry->keys;
    if (!keys.isEmpty()) return keys.toString(QKeySequence::NativeText);
    return entry == entries_.cend() ? QString() : entry->title;
}

QString KeyNames::filled(QString text) const {
    static const QRegularExpression named(QStringLiteral("\\{(\\w+)\\}"));
    for (QRegularExpressionMatch match = named.match(text); match.hasMatch(); match = named.match(text))
        text.replace(match.capturedStart(), match.capturedLength(), of(match.captured(1)));
    return text;
}

void KeyNames::set(const QString& command, const QString& title, const QKeySequence& keys) {
    entries_[command] = {title, keys};
}

}  // namespace palimpsest
