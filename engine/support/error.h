// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace palimpsest {

/// Whose fault a failure is; decides the exit code (input and usage: 2, everything else: 1).
enum class ErrorKind { Input, Run };

/// The one type thrown on purpose. `what()` is a single plain sentence that says what is wrong and where;
/// `hint()` is a single sentence that says what to do about it (may be empty).
class Error : public std::runtime_error {
public:
    Error(ErrorKind kind, std::string message, std::string hint = {})
        : std::runtime_error(std::move(message)), kind_(kind), hint_(std::move(hint)) {}

    ErrorKind kind() const { return kind_; }
    const std::string& hint() const { return hint_; }
    /// Message and hint in one line, as the command line prints it.
    std::string sentence() const { return hint_.empty() ? what() : std::string(what()) + " " + hint_; }

private:
    ErrorKind kind_;
    std::string hint_;
};

inline Error inputError(std::string message, std::string hint = {}) {
    return Error(ErrorKind::Input, std::move(message), std::move(hint));
}
inline Error runError(std::string message, std::string hint = {}) {
    return Error(ErrorKind::Run, std::move(message), std::move(hint));
}

}  // namespace palimpsest
