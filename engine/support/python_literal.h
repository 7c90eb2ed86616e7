// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace palimpsest {

/// A value as Python's repr() writes it, read as data: nothing is ever looked up or executed.
struct PythonLiteral {
    nlohmann::json value;    ///< texts hold the bytes of the file: make them plain before they are shown
    std::size_t length = 0;  ///< bytes of the text that it takes
};

/// Reads the literal that the text begins with: numbers, texts, None, True and False, lists, tuples and sets (lists
/// here), dicts. A call such as np.float64(0.5) or tensor(3) is its first argument, one with names alone, such as
/// Namespace(seed=1), is a dict; a bare name and <an object> are texts. Absent where the text begins with none, the
/// literal is cut off, lies deeper than 32 levels or has more than a million values. Never throws.
/// Source: Python Language Reference, Lexical analysis, and Lib/ast.py, literal_eval().
std::optional<PythonLiteral> readPythonLiteral(std::string_view text);

/// Where readPythonLiteral() stops, in bytes: behind the literal, or where there is none that goes on.
std::size_t pythonLiteralEnd(std::string_view text);

}  // namespace palimpsest
