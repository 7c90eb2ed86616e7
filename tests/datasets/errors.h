// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/support/error.h"

#include <QString>

namespace palimpsest::test {

/// Sentence of the input error that `action` throws; empty when it throws none.
template <class Action>
QString inputErrorOf(Action action) {
    try {
        action();
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::Input || error.hint().empty()) return {};
        return QString::fromStdString(error.sentence());
    }
    return {};
}

}  // namespace palimpsest::test
