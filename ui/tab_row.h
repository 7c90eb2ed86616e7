// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace palimpsest {

/// Buttons in a row, each for a page, and one at the other end. Where the row is too narrow for all words, that one
/// keeps its icon alone, and then the names of the pages are cut; tips and accessible names stay whole.
class TabRow : public QWidget {
    Q_OBJECT
public:
    explicit TabRow(int gap, QWidget* parent = nullptr);
    /// Its words are those of its default action.
    void addTab(QToolButton* tab);
    void setEnd(QToolButton* end);

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    int wanted() const;
    void fit();

    QHBoxLayout* row_;
    QList<QToolButton*> tabs_;
    QToolButton* end_ = nullptr;
};

}  // namespace palimpsest
