// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/guide/guide_feed.h"

#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextDocumentFragment>

#include "ui/guide/guide_style.h"

namespace palimpsest {

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
    // Qt would wait for the end of a <br> in a cell of a table, and take all that follows for HTML.
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
        cursor.setBlockFormat(first.blockFormat());
        cursor.setBlockCharFormat(first.charFormat());
    }
    piece_.reset();
}

}  // namespace palimpsest
