// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <vector>

#include "engine/stream/stream_plan.h"
#include "ui/theme.h"

namespace palimpsest {

/// Disjoint: comes in one session only. Blurry: comes in several.
enum class ClassKind { Unknown, Disjoint, Blurry };

/// By raw label, at least `classes` long.
inline std::vector<ClassKind> classKinds(const StreamPlan& plan, std::size_t classes) {
    std::vector<ClassKind> kinds(classes, ClassKind::Unknown);
    const auto mark = [&](const std::vector<std::vector<std::int64_t>>& lists, ClassKind kind) {
        for (const auto& list : lists)
            for (const std::int64_t label : list) {
                if (static_cast<std::size_t>(label) >= kinds.size())
                    kinds.resize(static_cast<std::size_t>(label) + 1, ClassKind::Unknown);
                kinds[static_cast<std::size_t>(label)] = kind;
            }
    };
    mark(plan.blurry_classes, ClassKind::Blurry);
    mark(plan.disjoint_classes, ClassKind::Disjoint);
    return kinds;
}

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

inline const char* kindText(ClassKind kind) {
    switch (kind) {
        case ClassKind::Disjoint:
            return "disjoint";
        case ClassKind::Blurry:
            return "blurry";
        case ClassKind::Unknown:
            break;
    }
    return "";
}

}  // namespace palimpsest
