// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRegularExpression>
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

/// The failure in one text.
inline QString oneText(const Failure& failure) {
    return (failure.message + ' ' + failure.hint).trimmed();
}

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

/// A sentence with quotes around commands, which the engine puts between backticks.
inline QString withQuotedCommands(QString sentence) {
    static const QRegularExpression command(QStringLiteral("`([^`]+)`"));
    return sentence.replace(command, QStringLiteral("\u201c\\1\u201d"));
}

/// A sentence of the engine as the window shows it: with options called by their titles, as in the form.
inline QString withOptionTitles(const std::string& sentence) {
    return withQuotedCommands(QString::fromStdString(inTitles(sentence)));
}
inline QString withOptionTitles(const QString& sentence) {
    return withOptionTitles(sentence.toStdString());
}
inline Failure withOptionTitles(const Failure& failure) {
    return {withOptionTitles(failure.message), withOptionTitles(failure.hint)};
}

}  // namespace palimpsest
