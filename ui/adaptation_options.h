// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <algorithm>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Which prompts a run begins with.
inline constexpr const char* kPromptsKey = "initial_session.prompts";

/// What only an initial session adaptation reads: all rows of its section but the prompts that a run begins with.
inline QStringList adaptationKeys(const OptionTable& table) {
    QStringList keys;
    for (const Option& option : table.options())
        if (option.section() == "initial_session" && option.key != kPromptsKey)
            keys.append(QString::fromStdString(option.key));
    return keys;
}

/// How prompts learn: the choice that offers forgetting-aware adaptation. Null: the table has none.
inline const Option* adaptationKind(const OptionTable& table) {
    for (const Option& option : table.options())
        if (option.section() == "initial_session" &&
            std::any_of(option.choices.begin(), option.choices.end(),
                        [](const Choice& choice) { return choice.value == "fam"; }))
            return &option;
    return nullptr;
}

}  // namespace palimpsest
