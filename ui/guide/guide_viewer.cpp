// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide_viewer.h"

#include <QAbstractTextDocumentLayout>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPointer>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <algorithm>

#include "ui/guide/guide_feed.h"
#include "ui/guide/guide_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
QString GuideViewer::sectionOf(const QString& heading) {
    QString name;
    for (const QChar sign : heading.toLower())
        if (sign.isLetterOrNumber() || sign == '-' || sign == '_')
            name.append(sign);
        else if (sign == ' ')
            name.append('-');
    return name;
}

GuideViewer::GuideViewer(QWidget* parent)
    : QDialog(parent), list_(new QListWidget), text_(new QTextBrowser), feed_(new GuideFeed(this)) {
    setObjectName("docsViewer");
    setWindowTitle(tr("Palimpsest: guide"));
    setModal(false);
    resize(scaled(980), scaled(700));
    list_->setObjectName("docsList");
    list_->setAccessibleName(tr("Pages"));
    list_->setToolTip(tr("Pages of the guide"));
    list_->setSpacing(2);
    fitToText(list_, [this] { list_->setFixedWidth(scaled(190)); });
    text_->setObjectName("docsText");
    text_->setAccessibleName(tr("Page"));
    text_->setOpenLinks(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 12, 12, 12);
    row->setSpacing(12);
    row->addWidget(list_);
    row->addWidget(text_, 1);
    connect(&TextScale::instance(), &TextScale::changed, this, &GuideViewer::displayAgain);
    connect(list_, &QListWidget::currentRowChanged, this, &GuideViewer::display);
    connect(text_, &QTextBrowser::anchorClicked, this, &GuideViewer::follow);
    connect(feed_, &GuideFeed::came, this, &GuideViewer::settle);
    // Who scrolls while the page comes wants to be there, not where the link led.
    connect(text_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        wanted_place_.reset();
        wanted_section_.clear();
    });
}

void GuideViewer::addPages(const QList<GuidePage>& pages) {
    for (const GuidePage& page : pages) {
        const auto same =
            std::find_if(pages_.begin(), pages_.end(), [&](const GuidePage& p) { return p.name == page.name; });
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

void GuideViewer::showPage(const QString& name, const QString& section) {
    for (int row = 0; row < pages_.size(); ++row) {
        if (pages_[row].name != name) continue;
        list_->setCurrentRow(row);
        wanted_place_.reset();
        wanted_section_ = section;
    }
    show();
    raise();
    activateWindow();
    settle();
}

void GuideViewer::follow(const QUrl& link) {
    if (!link.isRelative()) return;
    const int row = list_->currentRow();
    if (link.path().endsWith(".md"))
        showPage(QFileInfo(link.path()).completeBaseName(), link.fragment());
    else if (link.path().isEmpty() && row >= 0)
        showPage(pages_[row].name, link.fragment());
}

void GuideViewer::display(int row) {
    if (row < 0 || row >= pages_.size()) return;
    wanted_place_.reset();
    wanted_section_.clear();
    auto* page = new QTextDocument(text_);
    for (auto it = pages_[row].pictures.cbegin(); it != pages_[row].pictures.cend(); ++it)
        page->addResource(QTextDocument::ImageResource, QUrl(it.key()), it.value());
    prepareDocument(*page, font());
    // Gone already where the browser made it itself.
    const QPointer<QTextDocument> former = text_->document();
    text_->setDocument(page);
    delete former;
    // A bar that came with the second screen would have everything laid out again.
    const QString& markdown = pages_[row].markdown;
    text_->setVerticalScrollBarPolicy(markdown.size() > GuideFeed::kAtOnce ? Qt::ScrollBarAlwaysOn
                                                                           : Qt::ScrollBarAsNeeded);
    feed_->begin(page, docsPieces(markdown), Theme::of(this), font());
    // At the end of an empty page the cursor would go on with what comes.
    text_->setTextCursor(QTextCursor(page));
}

void GuideViewer::displayAgain() {
    const int place = wanted_place_.value_or(text_->verticalScrollBar()->value());
    const QString section = wanted_section_;
    display(list_->currentRow());
    wanted_section_ = section;
    if (section.isEmpty()) wanted_place_ = place;
    settle();
}

std::optional<int> GuideViewer::topOf(const QString& section) const {
    const QTextDocument& page = *text_->document();
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && sectionOf(block.text()) == section)
            return qRound(page.documentLayout()->blockBoundingRect(block).top());
    return std::nullopt;
}

void GuideViewer::settle() {
    const std::optional<int> place = wanted_section_.isEmpty() ? wanted_place_ : topOf(wanted_section_);
    if (place) {
        text_->document()->size();  // lays it out to its end, without which the place would not be there yet
        QScrollBar* bar = text_->verticalScrollBar();
        if (bar->maximum() < *place && feed_->goesOn()) return;
        bar->setValue(*place);
    } else if (feed_->goesOn()) {
        return;
    }
    wanted_place_.reset();
    wanted_section_.clear();
}

void GuideViewer::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) displayAgain();
}

}  // namespace palimpsest
