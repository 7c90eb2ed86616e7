// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide_viewer.h"

#include <QAbstractTextDocumentLayout>
#include <QEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPointer>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>
#include <QUrl>
#include <algorithm>
#include <array>
#include <vector>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kLineHeight = 130;  // per cent of the font's
constexpr std::array<int, 4> kHeadingPixels{20, 16, 14, 12};
constexpr int kCodePixels = 11;

bool isCode(const QTextBlock& block) {
    return block.isValid() && block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
}

/// Room above and below in pixels of the normal text size; of two neighbours' the larger counts.
struct Room {
    int above, below;
};

Room roomOf(const QTextBlock& block) {
    const int level = block.blockFormat().headingLevel();
    if (level == 1) return {0, 10};
    if (level > 1) return {18, 6};
    if (isCode(block)) return {isCode(block.previous()) ? 0 : 6, isCode(block.next()) ? 0 : 10};
    if (block.textList()) return {0, block.next().textList() == block.textList() ? 4 : 10};
    return {0, 10};
}

void styleBlock(QTextCursor& cursor, const QTextBlock& block, const Theme& theme) {
    QTextBlockFormat format = block.blockFormat();
    if (cursor.currentTable()) {
        format.setTopMargin(0);
        format.setBottomMargin(0);
    } else {
        const Room room = roomOf(block);
        format.setTopMargin(scaled(room.above));
        format.setBottomMargin(scaled(room.below));
    }
    if (isCode(block)) {
        format.setNonBreakableLines(true);
        format.setLeftMargin(scaled(12));
        format.setBackground(theme.raised);
    }
    format.setLineHeight(kLineHeight, QTextBlockFormat::ProportionalHeight);
    cursor.setBlockFormat(format);
}

QTextCharFormat styledText(QTextCharFormat format, const QTextBlock& block, const Theme& theme) {
    static const QString mono = QFontDatabase::systemFont(QFontDatabase::FixedFont).family();
    const int level = block.blockFormat().headingLevel();
    const bool code = isCode(block) || format.fontFixedPitch() || format.fontFamilies().toStringList().contains(mono);
    int pixels = code ? kCodePixels : text_size::kText;
    if (level > 0) pixels = kHeadingPixels[static_cast<std::size_t>(std::min(level, 4) - 1)];
    // Sizes relative to the document's font, and in points, would win over pixels.
    format.clearProperty(QTextFormat::FontSizeAdjustment);
    format.clearProperty(QTextFormat::FontPointSize);
    format.setProperty(QTextFormat::FontPixelSize, scaled(pixels));
    if (code) {
        format.setFontFamilies({mono});
        format.setFontFixedPitch(true);
    }
    if (level > 0) format.setFontWeight(QFont::DemiBold);
    if (format.isAnchor()) format.setForeground(theme.accent);
    return format;
}

void styleText(QTextCursor& cursor, const QTextBlock& block, const Theme& theme) {
    struct Piece {
        int from, length;
        QTextCharFormat format;
    };
    // A change of format splits and joins what is walked over.
    std::vector<Piece> pieces;
    for (auto it = block.begin(); !it.atEnd(); ++it)
        pieces.push_back({it.fragment().position(), it.fragment().length(), it.fragment().charFormat()});
    for (const Piece& piece : pieces) {
        cursor.setPosition(piece.from);
        cursor.setPosition(piece.from + piece.length, QTextCursor::KeepAnchor);
        cursor.setCharFormat(styledText(piece.format, block, theme));
    }
    cursor.setPosition(block.position());
    cursor.setBlockCharFormat(styledText(block.charFormat(), block, theme));
}

void styleTable(QTextTable& table, const Theme& theme) {
    QTextTableFormat format = table.format();
    format.setBorder(1);
    format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
    format.setBorderBrush(theme.line);
    format.setBorderCollapse(true);
    format.setCellSpacing(0);
    format.setCellPadding(scaled(5));
    format.setTopMargin(scaled(4));
    format.setBottomMargin(scaled(14));
    table.setFormat(format);
    for (int column = 0; column < table.columns(); ++column) {
        QTextTableCell cell = table.cellAt(0, column);
        QTextCharFormat heading = cell.format();
        heading.setBackground(theme.raised);
        cell.setFormat(heading);
    }
}

}  // namespace

void prepareDocument(QTextDocument& document, const QFont& base) {
    document.setDefaultFont(textFont(base, text_size::kText));
    document.setDocumentMargin(scaled(10));
    document.setUndoRedoEnabled(false);
}

void styleDocument(QTextDocument& document, const Theme& theme, const QFont& base) {
    prepareDocument(document, base);
    QTextCursor cursor(&document);
    cursor.beginEditBlock();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        cursor.setPosition(block.position());
        styleBlock(cursor, block, theme);
        styleText(cursor, block, theme);
    }
    cursor.endEditBlock();
    for (QTextFrame* frame : document.rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) styleTable(*table, theme);
}

QStringList docsPieces(const QString& markdown) {
    QStringList pieces;
    QString piece;
    bool code = false, empty = true, row = false;  // between fences; the line before is empty, or of a table
    bool after_table = false;
    for (const QStringView line : QStringView(markdown).split('\n')) {
        const bool blank = line.trimmed().isEmpty();
        const bool heading = line.startsWith('#'), table = line.startsWith('|');
        const bool apart = heading || (table && empty) || (after_table && !blank);
        if (apart && !code && !piece.trimmed().isEmpty()) {
            pieces.append(piece);
            piece.clear();
        }
        if (line.trimmed().startsWith(QStringLiteral("```"))) code = !code;
        after_table = !code && blank && (row || after_table);
        row = table && !code;
        empty = blank;
        piece.append(line).append('\n');
    }
    if (!piece.trimmed().isEmpty()) pieces.append(piece);
    return pieces;
}

GuideFeed::GuideFeed(QObject* parent) : QObject(parent) {
    connect(&timer_, &QTimer::timeout, this, &GuideFeed::step);
}

GuideFeed::~GuideFeed() = default;

void GuideFeed::begin(QTextDocument* document, const QStringList& pieces, const Theme& theme, const QFont& base) {
    timer_.stop();
    piece_.reset();
    document_ = document;
    pieces_ = pieces;
    theme_ = &theme;
    base_ = base;
    qsizetype room = kAtOnce;
    for (bool first = true; !pieces_.isEmpty() && (first || pieces_[0].size() <= room); first = false) {
        room -= pieces_[0].size();
        read();
        write();
    }
    if (!pieces_.isEmpty()) timer_.start(0);
}

void GuideFeed::step() {
    if (!document_) {
        timer_.stop();
    } else if (piece_) {
        write();
        if (pieces_.isEmpty()) timer_.stop();
        Q_EMIT came();
    } else {
        read();
    }
}

void GuideFeed::read() {
    piece_ = std::make_unique<QTextDocument>();
    // Qt would wait for the end of a <br> in a cell of a table, and read all that follows as HTML.
    piece_->setMarkdown(pieces_.takeFirst().replace("<br>", QString(QChar::LineSeparator)));
    styleDocument(*piece_, *theme_, base_);
}

void GuideFeed::write() {
    QTextCursor cursor(document_);
    cursor.movePosition(QTextCursor::End);
    const QTextBlock first = piece_->begin();
    // A piece that begins with a table has an empty block before it, and one that ends so leaves one behind.
    const bool table = first.text().isEmpty();
    if (!table && !cursor.block().text().isEmpty()) cursor.insertBlock();
    const int start = cursor.position();
    cursor.insertFragment(QTextDocumentFragment(piece_.get()));
    cursor.setPosition(start);
    if (!table && !cursor.block().text().isEmpty()) {
        // A fragment's first block goes into the one at the cursor, which keeps its own format; but not that of a list.
        // Last the block's own format: after the other one Qt does not lay out a document's first block again, so that
        // a page would show no title.
        cursor.setBlockCharFormat(first.charFormat());
        cursor.setBlockFormat(first.blockFormat());
    }
    piece_.reset();
}

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
    // A user who scrolls while the page comes wants to be there, not where the link led.
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
