// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDir>
#include <QString>

namespace palimpsest {

/// Typed path as an absolute one: "~/" is below home, and a relative path lies in `folder`, since nobody sees in which
/// folder the program was started.
inline QString absolutePath(const QString& text, const QString& folder) {
    QString path = text.trimmed();
    if (path == QLatin1String("~") || path.startsWith(QLatin1String("~/"))) path = QDir::homePath() + path.mid(1);
    return QDir::cleanPath(QDir(folder).absoluteFilePath(path));
}

}  // namespace palimpsest
