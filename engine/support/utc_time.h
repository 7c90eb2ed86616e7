// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

/// Now, as ISO 8601 in UTC with milliseconds: "2025-03-01T09:30:00.125Z".
std::string utcNow();
/// "2025-03-01T09:30:00Z" of such a moment, as PDF readers show it.
std::string withoutFraction(const std::string& stamp);
/// Now, as it stands in folder names, in UTC: "20250301-093000".
std::string utcStamp();

}  // namespace palimpsest
