// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QUrl>

#include "ui/style/text_style.h"

class QAbstractItemDelegate;
class QDialog;
class QFrame;
class QListView;
class QMenu;
class QMessageBox;
class QPushButton;
class QScrollArea;
class QToolButton;
class QWidget;

namespace palimpsest {

/// A button of a dialog: named for tests and for screen readers, pressed by Return where it has the focus and never
/// from elsewhere. An empty text makes the tip its accessible name.
QPushButton* makeButton(const QString& name, const QString& text, const QString& tip);
/// A button that looks like a link, for a row of small ones.
QToolButton* makeLink(const QString& name, const QString& text, const QString& tip, int pixels = text_size::kText);
/// A scroll area for `content` that is higher than its place; without frame or ground of its own.
QScrollArea* makeScroll(const QString& name, QWidget* content);
/// Address of a web page; not valid for anything else, so that nothing else is opened, whatever a catalogue says.
QUrl webPage(const QString& text);
/// Guards a control without focus: the wheel scrolls the form around `control` instead of changing a value by accident.
void guardWheel(QWidget* control);
/// Gives a button a menu, and takes its highlight away once the menu has closed: the mouse left the button while the
/// menu had it, and not every desktop reports that.
void attachMenu(QToolButton* button, QMenu* menu);

/// A panel that holds the list, whose rows `delegate` draws; the list owns it. `width` in pixels at the usual size of
/// text.
QFrame* makeCardPanel(QListView* list, QAbstractItemDelegate* delegate, int width);

/// Lets the texts of a box without an icon begin where its buttons do, which Qt indents as if there were one. After all
/// its texts are set. All such boxes are equally wide unless a text or their buttons need more.
void alignTexts(QMessageBox* box);

/// Makes a dialog that is shown as high as its texts need at its width; one that is high enough stays as it is.
void growToContent(QDialog* dialog);

}  // namespace palimpsest
