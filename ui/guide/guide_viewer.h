// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QImage>
#include <QList>
#include <QString>
#include <optional>

class QListWidget;
class QTextBrowser;
class QUrl;

namespace palimpsest {

class DocsFeed;

/// One page of the documentation.
struct DocsPage {
    QString name;   ///< file name without ending; "keyboard"
    QString title;  ///< the first heading
    QString markdown;
    QHash<QString, QImage> pictures = {};  ///< by the address under which the page names them: "images/main-dark.png"
};

/// Reads the documentation's pages below a folder: first the page "index", then the pages it links to, in its order,
/// then what is left by name. Without pictures. Blocks; may be called from any thread.
QList<DocsPage> readDocs(const QString& folder);
/// With pictures, which take longer.
QList<DocsPage> readIllustratedDocs(const QString& folder);

/// The documentation in a window of its own that blocks nothing.
class DocsViewer : public QDialog {
    Q_OBJECT
public:
    explicit DocsViewer(QWidget* parent = nullptr);

    /// Adds pages, or replaces those of the same name.
    void addPages(const QList<DocsPage>& pages);
    /// An unknown or empty name keeps the page that is shown. `section`: a heading as links name it, see sectionOf().
    void showPage(const QString& name, const QString& section = {});
    /// "Two lanes, side by side" is "two-lanes-side-by-side".
    static QString sectionOf(const QString& heading);

protected:
    void changeEvent(QEvent* event) override;

private:
    void display(int row);
    /// After a change of looks, at the same place.
    void displayAgain();
    /// Goes to where a person wants to be, as soon as the page reaches so far.
    void settle();
    /// Where a section begins, from the top of the page; nothing while it has not come.
    std::optional<int> topOf(const QString& section) const;
    void follow(const QUrl& link);
    QList<DocsPage> pages_;
    QListWidget* list_;
    QTextBrowser* text_;
    DocsFeed* feed_;
    // Where to be once the page reaches there: one of the two, or none.
    std::optional<int> wanted_place_;
    QString wanted_section_;
};

}  // namespace palimpsest
