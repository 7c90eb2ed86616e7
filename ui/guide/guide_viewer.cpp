// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide_viewer.h"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
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
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <vector>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr qsizetype kShortestSearch = 2;  // letters
constexpr int kMostMarks = 500;           // places on a page

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
    : QDialog(parent),
      search_(new QLineEdit),
      nothing_(new QLabel),
      list_(new QListWidget),
      text_(new QTextBrowser),
      feed_(new GuideFeed(this)) {
    setObjectName("docsViewer");
    setWindowTitle(tr("Palimpsest: guide"));
    setModal(false);
    resize(scaled(980), scaled(700));
    list_->setObjectName("docsList");
    list_->setAccessibleName(tr("Pages"));
    list_->setToolTip(tr("Pages of the guide"));
    list_->setSpacing(2);
    text_->setObjectName("docsText");
    text_->setAccessibleName(tr("Page"));
    text_->setOpenLinks(false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(12, 12, 12, 12);
    row->setSpacing(12);
    row->addWidget(makeIndex());
    row->addWidget(text_, 1);
    connect(&TextScale::instance(), &TextScale::changed, this, &GuideViewer::displayAgain);
    connect(list_, &QListWidget::currentRowChanged, this, &GuideViewer::display);
    connect(text_, &QTextBrowser::anchorClicked, this, &GuideViewer::follow);
    connect(feed_, &GuideFeed::came, this, &GuideViewer::settle);
    connect(feed_, &GuideFeed::came, this, [this] {
        if (search_->text().isEmpty()) return;
        if (!feed_->goesOn()) mark();
        settleSearch();
    });
    // A user who scrolls while the page comes wants to be there, not where the link led.
    connect(text_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] {
        wanted_place_.reset();
        wanted_section_.clear();
    });
}

QWidget* GuideViewer::makeIndex() {
    auto* index = new QWidget;
    auto* column = new QVBoxLayout(index);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(spacing::kRow);
    search_->setObjectName("docsSearch");
    search_->setAccessibleName(tr("Find in the guide"));
    search_->setPlaceholderText(tr("Find in the guide"));
    search_->setToolTip(
        tr("Leaves the pages that have these words; Return goes to the next place, with Shift to the one before"));
    search_->setClearButtonEnabled(true);
    nothing_->setObjectName("docsNothing");
    nothing_->setWordWrap(true);
    nothing_->hide();
    column->addWidget(search_);
    column->addWidget(nothing_);
    column->addWidget(list_, 1);
    fitToText(index, [this, index] {
        index->setFixedWidth(scaled(190));
        nothing_->setFont(textFont(font(), text_size::kText));
    });
    connect(search_, &QLineEdit::textChanged, this, &GuideViewer::search);
    auto* find = new QAction(tr("Find in the guide"), this);
    find->setShortcut(QKeySequence::Find);
    connect(find, &QAction::triggered, this, [this] {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
    });
    addAction(find);
    return index;
}

void GuideViewer::search() {
    const QString words = search_->text().trimmed();
    const bool asked = words.size() >= kShortestSearch;
    int shown = 0;
    for (int row = 0; row < pages_.size(); ++row) {
        const bool has = !asked || pages_[row].markdown.contains(words, Qt::CaseInsensitive);
        list_->setRowHidden(row, !has);
        shown += has ? 1 : 0;
    }
    nothing_->setText(tr("The guide has nothing on “%1”.").arg(words));
    nothing_->setVisible(asked && shown == 0);
    mark();
    if (!asked || shown == 0) return;
    const int row = list_->currentRow();
    if (row < 0 || list_->isRowHidden(row)) list_->setCurrentRow(nextPage(row, false));
    wanted_match_ = Wanted::First;
    settleSearch();
}

int GuideViewer::nextPage(int row, bool back) const {
    const int count = static_cast<int>(pages_.size());
    for (int step = 1; step <= count; ++step) {
        const int next = (std::max(row, 0) + (back ? count - step : step)) % count;
        if (!list_->isRowHidden(next)) return next;
    }
    return row;
}

void GuideViewer::goOn(bool back) {
    const QString words = search_->text().trimmed();
    if (words.size() < kShortestSearch || nothing_->isVisible()) return;
    if (text_->find(words, back ? QTextDocument::FindBackward : QTextDocument::FindFlags())) return;
    // More of the page may be on its way; the end of what is there is no end then.
    wanted_match_ = back ? Wanted::Last : Wanted::First;
    if (!back && feed_->goesOn()) return;
    const int row = list_->currentRow(), next = nextPage(row, back);
    if (next != row) list_->setCurrentRow(next);
    wanted_match_ = back ? Wanted::Last : Wanted::First;
    text_->moveCursor(QTextCursor::Start);
    settleSearch();
}

void GuideViewer::mark() {
    const QString words = search_->text().trimmed();
    QList<QTextEdit::ExtraSelection> marks;
    QTextCharFormat format;
    QColor ground = Theme::of(this).attention;
    ground.setAlphaF(0.35F);
    format.setBackground(ground);
    if (words.size() >= kShortestSearch)
        for (QTextCursor at = text_->document()->find(words); !at.isNull() && marks.size() < kMostMarks;
             at = text_->document()->find(words, at))
            marks.append({at, format});
    text_->setExtraSelections(marks);
}

void GuideViewer::settleSearch() {
    if (wanted_match_ == Wanted::Nothing) return;
    const bool last = wanted_match_ == Wanted::Last;
    if (last && feed_->goesOn()) return;
    const QString words = search_->text().trimmed();
    QTextCursor from(text_->document());
    if (last) from.movePosition(QTextCursor::End);
    // Places that were passed already stay behind.
    else if (text_->textCursor().hasSelection())
        from = text_->textCursor();
    if (last) from.clearSelection();
    const QTextCursor found = text_->document()->find(words, last ? from.position() : from.selectionStart(),
                                                      last ? QTextDocument::FindBackward : QTextDocument::FindFlags());
    if (!found.isNull()) {
        text_->setTextCursor(found);
        text_->ensureCursorVisible();
    }
    if (!found.isNull() || !feed_->goesOn()) wanted_match_ = Wanted::Nothing;
}

void GuideViewer::keyPressEvent(QKeyEvent* event) {
    const bool returns = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_F3 || (returns && search_->hasFocus()))
        return goOn(event->modifiers() & Qt::ShiftModifier);
    if (event->key() == Qt::Key_Escape && !search_->text().isEmpty()) return search_->clear();
    QDialog::keyPressEvent(event);
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
    if (!search_->text().isEmpty()) search();
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
    text_->setExtraSelections({});  // places in the former page
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
    wanted_match_ = Wanted::Nothing;
    mark();
    Q_EMIT pageShown(pages_[row].name);
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
