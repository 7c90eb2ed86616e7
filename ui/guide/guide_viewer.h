// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QHash>
#include <QImage>
#include <QList>
#include <QString>
#include <optional>

#include "ui/state/guide_pages.h"

class QListWidget;
class QTextBrowser;
class QUrl;

namespace palimpsest {

class GuideFeed;

/// The documentation in a window of its own that blocks nothing.
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
    QList<GuidePage> pages_;
    QListWidget* list_;
    QTextBrowser* text_;
    GuideFeed* feed_;
    // Where to be once the page reaches there: one of the two, or none.
    std::optional<int> wanted_place_;
    QString wanted_section_;
};

}  // namespace palimpsest
