// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Kind of a class in a stream. Disjoint: occurs in one session only; Blurry: occurs in several.
enum class ClassKind { Unknown, Disjoint, Blurry };

/// Kinds by raw label, at least `classes` entries.
std::vector<ClassKind> classKinds(const StreamPlan& plan, std::size_t classes);
/// Name of a kind: "disjoint", "blurry", or empty for Unknown.
const char* kindText(ClassKind kind);
/// Kind of that name; Unknown for any other text.
ClassKind kindIn(std::string_view text);

}  // namespace palimpsest
