// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>

#include "engine/support/text.h"

namespace palimpsest {

/// Whose fault a failure is; decides the exit code (input and usage: 2, everything else: 1).
enum class ErrorKind { Input, Run };

/// The one type thrown on purpose. `what()` is a single plain sentence that says what is wrong and where;
/// `hint()` is a single sentence that says what to do about it (may be empty). Both often quote files that somebody
/// else made, so both are made plainSentence()s here: whatever shows them may show them as they are.
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, const std::string& message, const std::string& hint = {})
        : std::runtime_error(plainSentence(message)), kind_(kind), hint_(plainSentence(hint)) {}

    ErrorKind kind() const { return kind_; }
    const std::string& hint() const { return hint_; }
    /// Message and hint in one line, as the command line prints it.
    std::string sentence() const { return hint_.empty() ? what() : std::string(what()) + " " + hint_; }

private:
    ErrorKind kind_;
    std::string hint_;
};

inline Error inputError(const std::string& message, const std::string& hint = {}) {
    return Error(ErrorKind::Input, message, hint);
}
inline Error runError(const std::string& message, const std::string& hint = {}) {
    return Error(ErrorKind::Run, message, hint);
}

}  // namespace palimpsest
