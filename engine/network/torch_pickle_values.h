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

// Limits; a file that exceeds one of them is damaged.
inline constexpr std::size_t kMostPickleValues = 1'000'000;
inline constexpr std::size_t kMostPickleTensors = 100'000;
inline constexpr std::size_t kLongestPickleName = 1000;

/// A value of a pickle, as far as tensors and the plain holders around them need it.
struct PickleValue {
    using Ref = PickleMachine::Ref;
    enum class Kind { Other, Integer, Text, List, Dict, Name, Storage, Tensor, Object };
    Kind kind = Kind::Other;
    std::int64_t integer = 0;  ///< value of Integer and truth values; index of a Storage or a Tensor
    std::string_view text{};   ///< content of Text; "module.name" of Name
    std::vector<Ref> items{};  ///< List: elements; Dict: key, value, ...; Object: the dictionary of its attributes
};

/// All values of one pickle. They refer to each other by their index in `values`.
struct TorchPickleValues {
    std::vector<PickleValue>
        values;  ///< their texts lie in the pickle's bytes, which must outlive this, and in `names`
    std::deque<std::string> names;
    PickleValue::Ref root = 0;  ///< result of the pickle
    std::vector<TorchPickle::Storage> storages;
    std::vector<TorchPickle::Place>
        tensors;          ///< in the order they are made, without names; each lies inside its storage
    std::size_t end = 0;  ///< bytes of the pickle
};

/// Carries out the opcodes that torch.save writes; see readTorchPickle().
TorchPickleValues readTorchPickleValues(std::span<const std::uint8_t> bytes, const std::string& origin);

/// Throws Error(Input): the file is not sound. `at`: bytes of its pickle read so far.
[[noreturn]] void damagedTorchPickle(const std::string& origin, const std::string& reason, std::size_t at);
/// A reason for damagedTorchPickle(), such as "it holds more than 100000 tensors".
std::string holdsMoreThan(std::size_t most, const char* what);

}  // namespace palimpsest
