// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "engine/config/option_titles.h"
#include "ui/state/failure.h"

namespace palimpsest {

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
