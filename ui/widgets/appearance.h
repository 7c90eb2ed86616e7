// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/style/theme.h"

class QApplication;
class QString;

namespace palimpsest {

/// Sets palette, style sheet, font (Inter where installed) and size of type of the application.
void applyAppearance(QApplication& application, Appearance appearance);

/// The style sheet of all windows; empty before applyAppearance().
const QString& appearanceSheet();

/// Sets the text size of the whole application, also for later windows. For a projector each size is larger.
void applyTextSize(QApplication& application, TextSize size);

}  // namespace palimpsest
