// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace palimpsest {

/// Typed place of prompts as an absolute path with its ending: "~" is home, and a relative path
/// lies in `folder`.
QString promptFile(const QString& text, const QString& folder);

/// Default file of prompts of this kind ("naive", "sam" or "fam").
QString usualPromptFile(const QString& folder, const QString& kind, const std::string& experiment);

/// `file` where there is neither prompts nor a state to go on from, else the next of FILE-2, FILE-3 and so on where
/// that is so.
QString freeFile(const QString& file);

}  // namespace palimpsest
