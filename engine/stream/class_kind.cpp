// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stream/class_kind.h"

namespace palimpsest {

std::vector<ClassKind> classKinds(const StreamPlan& plan, std::size_t classes) {
    std::vector<ClassKind> kinds(classes, ClassKind::Unknown);
    const auto mark = [&](const std::vector<std::vector<std::int64_t>>& lists, ClassKind kind) {
        for (const auto& list : lists)
            for (const std::int64_t label : list) {
                const auto place = static_cast<std::size_t>(label);
                if (place >= kinds.size()) kinds.resize(place + 1, ClassKind::Unknown);
                kinds[place] = kind;
            }
    };
    mark(plan.blurry_classes, ClassKind::Blurry);
    mark(plan.disjoint_classes, ClassKind::Disjoint);
    return kinds;
}

const char* kindText(ClassKind kind) {
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

ClassKind kindIn(std::string_view text) {
    for (const ClassKind kind : {ClassKind::Disjoint, ClassKind::Blurry})
        if (text == kindText(kind)) return kind;
    return ClassKind::Unknown;
}

}  // namespace palimpsest
