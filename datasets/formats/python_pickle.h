// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Plain data in a Python pickle of protocol 0, 1 or 2: numbers, texts, lists, tuples, dictionaries and numpy arrays of
/// bytes, as in the CIFAR files. Reading never executes anything: a pickle that names any function but those that
/// rebuild an array is refused by that function's name. Values refer to each other by number, so nothing recurses, and
/// their count is bounded. Source: Python, Lib/pickletools.py (what each opcode does).
class Pickle {
public:
    enum class Kind { None, Bool, Integer, Bytes, List, Dict, Name, Array, ArrayType };
    using Ref = std::uint32_t;
    struct Value {
        Kind kind = Kind::None;
        std::int64_t integer = 0;  ///< of Bool and Integer
        std::string_view bytes{};  ///< Bytes and texts: the content; Name: "module name"; Array: elements, in C order
        std::vector<Ref> items{};  ///< List and tuples: elements; Dict: key, value, key, value
        std::vector<std::int64_t> shape{};  ///< of an Array
    };

    /// `bytes` must outlive this. `origin` names the file in errors, which are Error(Input).
    Pickle(std::span<const std::uint8_t> bytes, const std::string& origin);

    const Value& root() const { return values_[root_]; }
    const Value& operator[](Ref value) const { return values_[value]; }
    /// Value of a key of a Dict, by Python's rules; null if there is none.
    const Value* find(const Value& dict, std::string_view key) const;

private:
    friend class PickleReader;

    std::vector<Value> values_;
    std::deque<std::string> texts_;  ///< decoded texts, which are not in the file
    Ref root_ = 0;
};

}  // namespace palimpsest
