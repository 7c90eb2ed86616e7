// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

#include "engine/stream/stream_plan.h"
#include "ui/style/theme.h"

namespace palimpsest {

/// Unknown: in no set, so it never appears.
inline ClassKind kindOf(const ClassHome& home) {
    return home.session < 0 ? ClassKind::Unknown : home.blurry ? ClassKind::Blurry : ClassKind::Disjoint;
}

inline QColor kindColour(const Theme& theme, ClassKind kind) {
    switch (kind) {
        case ClassKind::Disjoint:
            return theme.disjoint;
        case ClassKind::Blurry:
            return theme.blurry;
        case ClassKind::Unknown:
            break;
    }
    return theme.line;
}

}  // namespace palimpsest
