// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QStringList>
#include <QWidget>
#include <cstddef>

#include "ui/style/theme.h"

namespace palimpsest {

/// Links the window's icons and style sheet in; called before the first of them is read. Cheap when called again.
void initResources();

using Ink = QColor Theme::*;

/// One of the window's own icons, resources/icons/<name>.svg: lines on a grid of 20 x 20. It is drawn anew in each size
/// and in the colour that the theme of that moment has for `ink`, so it follows the appearance; paler where it is
/// disabled. Null, with a warning, where there is none of that name.
QIcon icon(const QString& name, Ink ink = &Theme::text);
/// Names of all icons, in alphabetical order.
QStringList iconNames();

/// Puts an icon before a button's text, which may be empty.
template <class Button>
Button* withIcon(Button* button, const QString& name, Ink ink = &Theme::text) {
    button->setIcon(icon(name, ink));
    // A tool button would show the icon alone.
    if constexpr (requires { button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon); })
        button->setToolButtonStyle(button->text().isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextBesideIcon);
    return button;
}

/// A piece of the line with which a lane is drawn, in the theme of `widget`; `style`: of its run (ShownRun).
QIcon laneIcon(const QWidget* widget, std::size_t lane, int style);
/// Size of a lane's icon, wide enough to distinguish the dashes.
inline constexpr int kLaneIconWidth = 30, kLaneIconHeight = 12;

/// An icon by itself, as large as a line of text.
class IconLabel : public QWidget {
    Q_OBJECT
public:
    explicit IconLabel(QWidget* parent = nullptr);
    void setIcon(const QIcon& icon);
    const QIcon& icon() const { return icon_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QIcon icon_;
};

}  // namespace palimpsest
