// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// "1-3,7" of 1, 2, 3, 7; numbers that do not rise by one stand apart.
std::string numberRanges(const std::vector<std::int64_t>& numbers, std::string_view separator = ",");

/// The two ends of a range as they were typed; of a single number, it twice.
struct RangeText {
    std::string_view first, last;
};
/// Parts of "1-3, 7" in their order, whatever they hold. They point into the text.
std::vector<RangeText> rangeTexts(std::string_view text);

/// "1-3,7" as numbers, rising and each once: what numberRanges() writes, and what people type. Throws Error(Input) for
/// anything else, for numbers outside 1..`most`, and for a range that ends before it begins. `what` names the text in
/// the message: "--only".
std::vector<std::int64_t> parsedRanges(std::string_view text, std::int64_t most, std::string_view what);

}  // namespace palimpsest
