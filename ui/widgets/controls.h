// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>
#include <QUrl>

#include "ui/style/text_style.h"

class QLabel;
class QMenu;
class QPushButton;
class QScrollArea;
class QToolButton;
class QWidget;

namespace palimpsest {

/// A button of a dialog: named for tests and for screen readers, never pressed by Return from elsewhere.
/// An empty text makes the tip its accessible name.
QPushButton* makeButton(const QString& name, const QString& text, const QString& tip);
/// A button that looks like a link, for a row of small ones.
QToolButton* makeLink(const QString& name, const QString& text, const QString& tip, int pixels = text_size::kText);
/// Label whose text wraps and can be selected; empty at first.
QLabel* makeTextLabel(int pixels, QFont::Weight weight, bool quiet);
/// Scrolls `content` up and down where it is higher than its place; neither frame nor ground of its own.
QScrollArea* makeScroll(const QString& name, QWidget* content);
/// Only pages of the web are opened, whatever a catalogue says; not valid for anything else.
QUrl webPage(const QString& text);
/// Guards a control without focus: the wheel scrolls the form around `control` instead of changing a value by accident.
void guardWheel(QWidget* control);
/// Gives a button a menu, and takes its highlight away once the menu has closed: the mouse left the button while the
/// menu had it, and not every desktop reports that.
void attachMenu(QToolButton* button, QMenu* menu);

}  // namespace palimpsest
