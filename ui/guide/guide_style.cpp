// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide_style.h"

#include <QFontDatabase>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>
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

}  // namespace palimpsest
