// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <string>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Key of the prompts a run begins with.
inline constexpr const char* kPromptsKey = "initial_session.prompts";

/// Key of the choice among those prompts.
inline constexpr const char* kLoadKey = "initial_session.load";

/// Keys that only an initial session adaptation reads: all rows of its section but those of the prompts that a run
/// begins with.
inline QStringList adaptationKeys(const OptionTable& table) {
    QStringList keys;
    for (const Option& option : table.options())
        if (option.section() == "initial_session" && option.key != kPromptsKey && option.key != kLoadKey)
            keys.append(QString::fromStdString(option.key));
    return keys;
}

/// The experiment as an adaptation of this kind ("naive", "sam" or "fam") reads it: the kind stands where a run names
/// its prompts.
inline Experiment adaptationOf(Experiment experiment, const std::string& kind) {
    experiment.initial_session.prompts = kind;
    return experiment;
}

}  // namespace palimpsest
