// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace palimpsest::testing {

/// Number of an environment variable; `usual` where it is not set or no number.
inline int environmentOr(const char* name, int usual) {
    bool ok = false;
    const int chosen = qEnvironmentVariableIntValue(name, &ok);
    return ok ? chosen : usual;
}

}  // namespace palimpsest::testing
