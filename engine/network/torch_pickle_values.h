// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/torch_pickle.h"
#include "engine/support/pickle_machine.h"

namespace palimpsest {

// A file that wants more of anything than this is damaged.
inline constexpr std::size_t kMostPickleValues = 1'000'000;
inline constexpr std::size_t kMostPickleTensors = 100'000;
inline constexpr std::size_t kLongestPickleName = 1000;

/// What a pickle makes of tensors and the plain holders around them.
struct PickleValue {
    using Ref = PickleMachine::Ref;
    enum class Kind { Other, Integer, Text, List, Dict, Name, Storage, Tensor, Object };
    Kind kind = Kind::Other;
    std::int64_t integer = 0;  ///< of numbers and truth values; index of a Storage or a Tensor
    std::string_view text{};   ///< of Text; "module.name" of Name
    std::vector<Ref> items{};  ///< List: elements; Dict: key, value, ...; Object: the dictionary of its attributes
};

/// All values of one pickle. They refer to each other by their places in `values`.
struct TorchPickleValues {
    std::vector<PickleValue> values;  ///< texts lie in the pickle's bytes, which must outlive this, and in `names`
    std::deque<std::string> names;
    PickleValue::Ref root = 0;  ///< what the pickle is, with all that hangs from it
    std::vector<TorchPickle::Storage> storages;
    std::vector<TorchPickle::Place> tensors;  ///< as they are made, without names; each lies inside its storage
    std::size_t end = 0;                      ///< bytes of the pickle
};

/// Carries out the opcodes that torch.save writes; see readTorchPickle().
TorchPickleValues readTorchPickleValues(std::span<const std::uint8_t> bytes, const std::string& origin);

/// Throws Error(Input): the file is not sound. `at`: bytes of its pickle that were read.
[[noreturn]] void damagedTorchPickle(const std::string& origin, const std::string& reason, std::size_t at);
/// A reason for that: "it holds more than 100000 tensors".
std::string holdsMoreThan(std::size_t most, const char* what);

}  // namespace palimpsest
