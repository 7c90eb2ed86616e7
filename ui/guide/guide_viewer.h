// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFont>
#include <QHash>
#include <QImage>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>
#include <QTimer>
#include <memory>
#include <optional>

#include "ui/state/guide_pages.h"

class QLabel;
class QLineEdit;
class QListWidget;
class QTextBrowser;
class QTextDocument;
class QUrl;

namespace palimpsest {

struct Theme;

/// Margin and font of an empty document that styled ones are written into.
void prepareDocument(QTextDocument& document, const QFont& base);
/// Gives a document that was read from Markdown room between its blocks, tables with single light lines, and code in a
/// monospaced face that is never broken. To be called before the document is shown.
void styleDocument(QTextDocument& document, const Theme& theme, const QFont& base);

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

    /// The rest of another page does not come any more.
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

/// The documentation in a window of its own that blocks nothing. What is typed into its search field leaves the pages
/// that have it, marks it in the page that is shown, and Return goes from one place to the next, also on other pages.
class GuideViewer : public QDialog {
    Q_OBJECT
public:
    explicit GuideViewer(QWidget* parent = nullptr);

    /// Adds pages, or replaces those of the same name.
    void addPages(const QList<GuidePage>& pages);
    /// An unknown or empty name keeps the page that is shown. `section`: a heading as links name it, see sectionOf().
    void showPage(const QString& name, const QString& section = {});
    /// "Two lanes, side by side" is "two-lanes-side-by-side".
    static QString sectionOf(const QString& heading);

Q_SIGNALS:
    void pageShown(const QString& name);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QWidget* makeIndex();
    /// Leaves the pages that have what is searched, and goes to its first place.
    void search();
    /// Goes to the next place, or the one before, on this page or another one.
    void goOn(bool back);
    /// The next page in sight that has it, or the one before; the same where it is the only one.
    int nextPage(int row, bool back) const;
    /// Marks every place in what has come of the page.
    void mark();
    /// Selects the first place, or the last, once the page reaches there.
    void settleSearch();
    void display(int row);
    /// Shows the page again after a change of appearance, at the same place.
    void displayAgain();
    /// Scrolls to the wanted place as soon as the page reaches so far.
    void settle();
    /// Top of a section, from the top of the page; nothing while it has not come.
    std::optional<int> topOf(const QString& section) const;
    void follow(const QUrl& link);
    QList<GuidePage> pages_;
    QLineEdit* search_;
    QLabel* nothing_;  ///< in place of pages, where none has it
    QListWidget* list_;
    QTextBrowser* text_;
    GuideFeed* feed_;
    // Place to scroll to once the page reaches there: one of the two, or none.
    std::optional<int> wanted_place_;
    QString wanted_section_;
    enum class Wanted { Nothing, First, Last };
    Wanted wanted_match_ = Wanted::Nothing;
};

}  // namespace palimpsest
