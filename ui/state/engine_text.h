// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <string>

#include "engine/config/option_table.h"
#include "engine/support/error.h"

namespace palimpsest {

/// An error as the message bar shows it.
struct Failure {
    QString message, hint;
};

/// Runs `work` and returns the error it throws, if any.
template <class Work>
std::optional<Failure> failureOf(Work&& work) {
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        return Failure{error.what(), QString::fromStdString(error.hint())};
    } catch (const std::exception& error) {
        return Failure{error.what(), {}};
    }
}

/// A sentence of the engine with options called by their titles, as in the form.
inline QString withOptionTitles(const std::string& sentence) {
    return QString::fromStdString(inTitles(sentence));
}
inline QString withOptionTitles(const QString& sentence) {
    return withOptionTitles(sentence.toStdString());
}
inline Failure withOptionTitles(const Failure& failure) {
    return {withOptionTitles(failure.message), withOptionTitles(failure.hint)};
}

}  // namespace palimpsest
