// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>
#include <memory>

class QTextDocument;

namespace palimpsest {

struct Theme;

/// Cuts Markdown where nothing reaches across: before headings, and before and after tables.
QStringList docsPieces(const QString& markdown);

/// Writes a page into a document that is shown, piece by piece: laid out whole, a long one would keep the window
/// waiting. Its beginning comes at once, and then a piece whenever nothing else is to do.
class GuideFeed : public QObject {
    Q_OBJECT
public:
    /// Characters of Markdown: about a screen.
    static constexpr qsizetype kAtOnce = 2500;

    explicit GuideFeed(QObject* parent = nullptr);
    ~GuideFeed() override;

    /// What is still to come of another page does not come any more.
    void begin(QTextDocument* document, const QStringList& pieces, const Theme& theme, const QFont& base);
    /// There is more to come.
    bool goesOn() const { return timer_.isActive(); }

Q_SIGNALS:
    /// More of the page is there, but for its beginning.
    void came();

private:
    /// Reads a piece, or writes the one that was read: either is done before the window is asked again.
    void step();
    void read();
    void write();

    QPointer<QTextDocument> document_;
    QStringList pieces_;
    std::unique_ptr<QTextDocument> piece_;  ///< read and styled, not yet written
    const Theme* theme_ = nullptr;
    QFont base_;
    QTimer timer_;
};

}  // namespace palimpsest
