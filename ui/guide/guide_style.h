// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

class QTextDocument;

namespace palimpsest {

struct Theme;

/// Margin and font of an empty document that styled ones are written into.
void prepareDocument(QTextDocument& document, const QFont& base);
/// Gives a document that was read from Markdown room between its blocks, tables with single light lines, and code in a
/// monospaced face that is never broken. To be called before the document is shown.
void styleDocument(QTextDocument& document, const Theme& theme, const QFont& base);

}  // namespace palimpsest
