// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace palimpsest {

/// Documents keep their keys in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Deepest nesting of lists and objects that is read: ours have less than ten levels, and copying, writing and
/// comparing a value takes some of the stack for each.
inline constexpr int kDeepestJson = 64;

/// Most keys of a document that keeps their order, which looks through all before it for each.
inline constexpr std::int64_t kMostOrderedKeys = 20'000;

/// What can be said of a text before it is read, whether or not it is JSON.
struct JsonExtent {
    bool too_deep = false;  ///< lists and objects lie deeper in each other than kDeepestJson
    std::int64_t keys = 0;
};

inline JsonExtent jsonExtent(std::string_view text) {
    JsonExtent extent;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kDeepestJson) {
                extent.too_deep = true;
                return extent;
            }
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ':') {
            ++extent.keys;
        }
    }
    return extent;
}

/// The value that the text holds; a discarded one (is_discarded(), and no kind of value) where it is no JSON, holds a
/// number that is too large, lies too deep or has too many keys. Every text from a file is read by this. Never throws.
template <class Value = Json>
Value parsedJson(std::string_view text) {
    const JsonExtent extent = jsonExtent(text);
    if (extent.too_deep || (std::is_same_v<Value, Json> && extent.keys > kMostOrderedKeys))
        return Value(Value::value_t::discarded);
    return Value::parse(text, nullptr, false);
}

/// Null for a number without a value and for an empty text.
inline nlohmann::ordered_json orNull(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}
inline nlohmann::ordered_json orNull(const std::string& text) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

}  // namespace palimpsest
