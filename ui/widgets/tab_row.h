// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QList>
#include <QWidget>

class QHBoxLayout;
class QToolButton;

namespace palimpsest {

/// Buttons in a row, each for a page, and one at the other end. No name is ever cut: where the row is too narrow for
/// all texts, the button at the end keeps its icon alone, then the page that is shown alone keeps its name and the
/// others have icons, and then all have. Tips and accessible names stay whole.
class TabRow : public QWidget {
    Q_OBJECT
public:
    explicit TabRow(int gap, QWidget* parent = nullptr);
    /// Its text is that of its default action; `icon` stands for them.
    void addTab(QToolButton* tab, const QIcon& icon);
    void setEnd(QToolButton* end);

    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Tab {
        QToolButton* button;
        QIcon icon;
    };
    enum class Named { All, Chosen, None };
    int wanted() const;
    /// There is room for that.
    bool applyStyle(Named named);
    void fit();

    QHBoxLayout* row_;
    QList<Tab> tabs_;
    QToolButton* end_ = nullptr;
};

}  // namespace palimpsest
