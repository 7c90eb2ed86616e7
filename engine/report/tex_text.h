// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest::report {

/// Plain text for LaTeX, pdflatex included: what means something to TeX is escaped, the signs that reports use become
/// its own, Latin letters stay. Letters that its fonts have not are written as their code, [U+5B9F].
std::string texText(const std::string& text);

/// For a comment: one line.
std::string texComment(const std::string& text);

}  // namespace palimpsest::report
