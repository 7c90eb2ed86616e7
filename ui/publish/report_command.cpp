// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/publish/report_command.h"

#include "engine/support/shell_quoted.h"

namespace palimpsest {

QString reportCommand(const QStringList& folders, const report::PieceFormatRow& row, const report::FigureStyle& style,
                      std::optional<std::int64_t> at) {
    if (folders.isEmpty()) return {};
    QString text = "palimpsest-cli report";
    for (const QString& folder : folders) text += ' ' + QString::fromStdString(shellQuoted(folder.toStdString()));
    text += QString(" --out report --format %1").arg(QString::fromLatin1(row.report));
    if (row.drawn) text += QString(" --style %1").arg(QString::fromLatin1(style.name));
    if (at) text += QString(" --at %1").arg(*at);
    return text;
}

}  // namespace palimpsest
