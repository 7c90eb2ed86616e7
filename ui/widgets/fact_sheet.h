// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>
#include <functional>

class QGridLayout;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace palimpsest {

/// One line of facts: "Licence", "Apache 2.0". `name`: object name of the value.
struct FactRow {
    QString name, title, value;
};

/// Panel with everything about one thing: its title, a sentence, rows of facts and further parts, which scroll
/// together, and below them the buttons for what can be done with it.
class FactSheet : public QFrame {
    Q_OBJECT
public:
    /// Clicks the first visible one of the primary buttons, as Return in a list beside the sheet does.
    void clickPrimary();

protected:
    /// Object names: the sheet's, those of title and sentence, and of the scroll area. `titleWidth`: of the titles of
    /// facts, in pixels at the usual text size.
    struct Names {
        QString sheet, title, sentence, scroll;
    };
    FactSheet(const Names& names, int titleWidth, QWidget* parent);

    QLabel* title() const { return title_; }
    /// The title is also the accessible name; an empty sentence is hidden.
    void setHeading(const QString& title, const QString& sentence);
    /// A fact without a value is not shown. Labels stay as long as the names of the rows are the same.
    void setFacts(const QList<FactRow>& rows);

    /// The rows of facts, to be placed by addPart().
    QWidget* facts() const { return facts_; }
    /// A line in the grid of facts, as wide as both columns, below the rows that are there.
    void addLine(QWidget* line);
    /// Below the parts that were added before; all of them scroll.
    void addPart(QWidget* part);
    /// Between what scrolls and the buttons.
    void addFooter(QWidget* footer);
    /// The row at the end, once everything else is there. `primary`: see clickPrimary().
    void addButtons(const QList<QPushButton*>& buttons, const QList<QPushButton*>& primary);

    /// Copies `text` when it is clicked, and says so in place of its own text.
    static QPushButton* makeCopyButton(const QString& name, const QString& text, const QString& tip,
                                       std::function<QString()> copied);
    /// Opens `address` in the browser when it is clicked.
    static QPushButton* makePageButton(const QString& name, const QString& text, const QString& tip,
                                       std::function<QString()> address);

private:
    struct Fact {
        QString name;
        QLabel *title, *value;
    };
    void removeFacts();

    const int title_width_;
    QLabel *title_, *sentence_;
    QWidget* facts_;
    QGridLayout* grid_;
    QVBoxLayout *parts_, *all_;
    QList<Fact> shown_;
    QList<QPushButton*> primary_;
};

}  // namespace palimpsest
