// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QString>

class QLabel;
class QWidget;

namespace palimpsest {

/// Gives a label the window's type, which follows the text size. Quiet labels take the palette's placeholder colour, so
/// they follow the theme.
void styleLabel(QLabel* label, int pixels, QFont::Weight weight, bool quiet);
/// A new one in that style.
QLabel* makeLabel(const QString& text, int pixels, QFont::Weight weight, bool quiet, QWidget* parent = nullptr);

}  // namespace palimpsest
