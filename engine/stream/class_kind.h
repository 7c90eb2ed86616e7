// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Disjoint: comes in one session only. Blurry: comes in several.
enum class ClassKind { Unknown, Disjoint, Blurry };

/// By raw label, at least `classes` long.
std::vector<ClassKind> classKinds(const StreamPlan& plan, std::size_t classes);
/// "disjoint", "blurry"; empty when not known.
const char* kindText(ClassKind kind);
/// What kindText() says; not known for any other text.
ClassKind kindIn(std::string_view text);

}  // namespace palimpsest
