// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/docs_viewer.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QTextBrowser>
#include <QUrl>
#include <algorithm>

namespace palimpsest {

QList<DocsPage> readDocs(const QString& folder) {
    QList<DocsPage> pages;
    for (const QString& name : QDir(folder).entryList({"*.md"}, QDir::Files, QDir::Name)) {
        QFile file(QDir(folder).filePath(name));
        if (!file.open(QIODevice::ReadOnly)) continue;
        DocsPage page{QFileInfo(name).completeBaseName(), {}, QString::fromUtf8(file.readAll())};
        const QString first = page.markdown.section('\n', 0, 0);
        page.title = first.startsWith("# ") ? first.mid(2).trimmed() : page.name;
        pages.append(page);
    }
    return pages;
}

DocsViewer::DocsViewer(QWidget* parent) : QDialog(parent), list_(new QListWidget), text_(new QTextBrowser) {
    setObjectName("docsViewer");
    setWindowTitle(tr("Palimpsest: guide"));
    setModal(false);
    resize(860, 620);
    list_->setObjectName("docsList");
    list_->setAccessibleName(tr("Pages"));
    list_->setToolTip(tr("Pages of the guide"));
    list_->setFixedWidth(190);
    text_->setObjectName("docsText");
    text_->setAccessibleName(tr("Page"));
    text_->setOpenLinks(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 12, 12, 12);
    row->setSpacing(12);
    row->addWidget(list_);
    row->addWidget(text_, 1);
    connect(list_, &QListWidget::currentRowChanged, this, &DocsViewer::display);
    connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        if (link.isRelative() && link.path().endsWith(".md")) showPage(QFileInfo(link.path()).completeBaseName());
        if (link.isRelative() && link.path().isEmpty()) text_->scrollToAnchor(link.fragment());
    });
}

void DocsViewer::addPages(const QList<DocsPage>& pages) {
    for (const DocsPage& page : pages) {
        const auto same = std::find_if(pages_.begin(), pages_.end(), [&](const DocsPage& p) { return p.name == page.name; });
        if (same != pages_.end()) {
            *same = page;
            if (list_->currentRow() == same - pages_.begin()) display(list_->currentRow());
            continue;
        }
        pages_.append(page);
        list_->addItem(page.title);
    }
    if (list_->currentRow() < 0 && !pages_.isEmpty()) list_->setCurrentRow(0);
}

void DocsViewer::showPage(const QString& name) {
    for (int row = 0; row < pages_.size(); ++row)
        if (pages_[row].name == name) list_->setCurrentRow(row);
    show();
    raise();
    activateWindow();
}

void DocsViewer::display(int row) {
    if (row >= 0 && row < pages_.size()) text_->setMarkdown(pages_[row].markdown);
}

}  // namespace palimpsest
