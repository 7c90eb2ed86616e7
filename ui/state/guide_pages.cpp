// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/guide_pages.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

namespace palimpsest {
namespace {

/// Names of the pages that a page links to, each once.
QStringList linkedPages(const QString& markdown) {
    static const QRegularExpression link(QStringLiteral(R"(\]\(([\w-]+)\.md(#[^)]*)?\))"));
    QStringList names;
    for (auto it = link.globalMatch(markdown); it.hasNext();) names.append(it.next().captured(1));
    names.removeDuplicates();
    return names;
}

/// Pictures below the pages' folder, in their original size.
QHash<QString, QImage> picturesOf(const QString& markdown, const QDir& folder) {
    static const QRegularExpression picture(QStringLiteral(R"(!\[[^\]]*\]\((images/[\w-]+\.png)\))"));
    QHash<QString, QImage> pictures;
    for (auto it = picture.globalMatch(markdown); it.hasNext();) {
        const QString address = it.next().captured(1);
        if (QImage image(folder.filePath(address)); !image.isNull()) pictures.insert(address, image);
    }
    return pictures;
}

QStringList headingsIn(const QString& markdown) {
    static const QRegularExpression heading("^##+ +(.+?) *$");
    static const QRegularExpression link(R"(\[([^\]]*)\]\([^)]*\))");
    QStringList found;
    bool code = false;
    for (const QString& line : markdown.split('\n')) {
        if (line.startsWith("```")) code = !code;
        if (code || !line.startsWith("##")) continue;
        const QRegularExpressionMatch match = heading.match(line);
        if (!match.hasMatch()) continue;
        found.append(match.captured(1).replace(link, "\\1").remove('`').remove("**"));
    }
    return found;
}

}  // namespace

QList<GuidePage> readDocs(const QString& folder) {
    QList<GuidePage> pages;
    for (const QString& name : QDir(folder).entryList({"*.md"}, QDir::Files, QDir::Name)) {
        QFile file(QDir(folder).filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        GuidePage page{QFileInfo(name).completeBaseName(), {}, QString::fromUtf8(file.readAll()), {}};
        const QString first = page.markdown.section('\n', 0, 0);
        page.headings = headingsIn(page.markdown);
        page.title = first.startsWith("# ") ? first.mid(2).trimmed() : page.name;
        pages.append(page);
    }
    const auto index =
        std::find_if(pages.cbegin(), pages.cend(), [](const GuidePage& page) { return page.name == "index"; });
    if (index == pages.cend()) return pages;
    const QStringList order = QStringList("index") + linkedPages(index->markdown);
    const auto place = [&order](const GuidePage& page) {
        const qsizetype at = order.indexOf(page.name);
        return at < 0 ? order.size() : at;
    };
    std::stable_sort(pages.begin(), pages.end(),
                     [&](const GuidePage& a, const GuidePage& b) { return place(a) < place(b); });
    return pages;
}

QList<GuidePage> readIllustratedDocs(const QString& folder) {
    QList<GuidePage> pages = readDocs(folder);
    for (GuidePage& page : pages) page.pictures = picturesOf(page.markdown, QDir(folder));
    return pages;
}

}  // namespace palimpsest
