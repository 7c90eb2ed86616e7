// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "engine/config/option_table.h"
#include "ui/state/failure.h"

namespace palimpsest {

/// A sentence of the engine with options called by their titles, as in the form.
inline QString plainWords(const std::string& sentence) {
    return QString::fromStdString(inTitles(sentence));
}
inline QString plainWords(const QString& sentence) {
    return plainWords(sentence.toStdString());
}
inline Failure plainWords(const Failure& failure) {
    return {plainWords(failure.message), plainWords(failure.hint)};
}

}  // namespace palimpsest
