// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QLabel>
#include <QString>
#include <QStringList>

namespace palimpsest {

/// Gives a label the window's type, which follows the text size. Quiet labels take the palette's placeholder colour, so
/// they follow the theme.
void styleLabel(QLabel* label, int pixels, QFont::Weight weight, bool quiet);
/// A new label in that style.
QLabel* makeLabel(const QString& text, int pixels, QFont::Weight weight, bool quiet, QWidget* parent = nullptr);
/// The same with text that wraps and can be selected; empty at first.
QLabel* makeTextLabel(int pixels, QFont::Weight weight, bool quiet);

/// Keeps room for so many lines of a label whose words come and go, also while it is hidden, so that nothing around it
/// jumps; more lines still take more. Its words begin at the top.
void keepLines(QLabel* label, int lines);

/// Gives a widget the look that its properties stand for now.
void restyle(QWidget* widget);
/// The colour of what is wrong, or the widget's own again.
void markWrong(QWidget* widget, bool wrong);

/// A line that shortens instead of widening its column: the longest of several texts that fits is shown, and
/// the longest of all stands in the tooltip when another is.
class FittingLabel : public QLabel {
    Q_OBJECT
public:
    explicit FittingLabel(QWidget* parent = nullptr);

    /// Longest first. None: empty.
    void setTexts(const QStringList& texts);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QStringList texts_;
};

}  // namespace palimpsest
