// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QImage>
#include <QList>
#include <QString>
#include <QStringList>

namespace palimpsest {

/// One page of the documentation.
struct GuidePage {
    QString name;   ///< file name without ending; "keyboard"
    QString title;  ///< the first heading
    QString markdown;
    QHash<QString, QImage> pictures = {};  ///< by the address under which the page names them: "images/main-dark.png"
    QStringList headings = {};             ///< of its sections, without the signs of Markdown
};

/// Reads the documentation's pages below a folder: first the page "index", then the pages it links to, in its order,
/// then what is left by name. Without pictures. Blocks; may be called from any thread.
QList<GuidePage> readDocs(const QString& folder);
/// Page with its pictures, which are slower to read.
QList<GuidePage> readIllustratedDocs(const QString& folder);

}  // namespace palimpsest
