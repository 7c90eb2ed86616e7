// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTextDocument>

namespace palimpsest {

/// Text of anybody for a tooltip, where it is shown as it is: Qt takes what looks like HTML for HTML.
inline QString plainTip(const QString& text) {
    if (!Qt::mightBeRichText(text)) return text;
    return QStringLiteral("<qt>") + text.toHtmlEscaped().replace('\n', QLatin1String("<br>")) + QStringLiteral("</qt>");
}

}  // namespace palimpsest
