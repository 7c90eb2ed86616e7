// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <utility>

namespace palimpsest {

/// A machine and a folder on it, where the machine may have been typed as an address, with or without the folder behind
/// it. The machine keeps its slash where both name a folder.
inline std::pair<QString, QString> machineAndFolder(QString machine, const QString& folder) {
    if (machine.startsWith(QLatin1String("ssh://"))) machine.remove(0, 6);
    const qsizetype slash = machine.indexOf('/');
    if (slash < 0 || !folder.isEmpty()) return {machine, folder};
    // "/~/runs" is below the home folder.
    return {machine.left(slash), machine.mid(machine.mid(slash, 2) == QLatin1String("/~") ? slash + 1 : slash)};
}

/// "ssh://MACHINE/FOLDER". Without a slash or ~ in front a folder is below the home folder, as for scp.
inline QString remoteAddress(const QString& machine, const QString& folder) {
    const QString before =
        folder.startsWith('/') ? QString() : QString::fromLatin1(folder.startsWith('~') ? "/" : "/~/");
    return QStringLiteral("ssh://") + machine + before + folder;
}

}  // namespace palimpsest
