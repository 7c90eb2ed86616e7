// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/network/tensor.h"
#include "engine/support/pickle_machine.h"

namespace palimpsest {

/// Description of the tensors in the pickle of a PyTorch file; their numbers lie in other entries of the archive.
struct TorchPickle {
    struct Storage {
        std::string key;  ///< name of the entry that holds it
        at::ScalarType type = at::kFloat;
        std::int64_t count = 0;  ///< elements
    };
    struct Place {
        std::string name;  ///< dotted path of keys, "tensor" for a file that is one bare tensor
        std::size_t storage = 0;
        std::int64_t offset = 0;  ///< elements
        std::vector<std::int64_t> sizes, strides;
    };
    std::vector<Storage> storages;
    std::vector<Place> tensors;  ///< in the order of the file; each lies inside its storage
};

/// Reads the pickles that torch.save writes (protocol 2 and up): a tensor, a state dict, a dict that holds one under
/// "model", "state_dict" or "model_state_dict", or a TorchScript module's attributes. Nothing is executed: a pickle
/// that names any callable but those that rebuild tensors and plain holders of attributes is refused by that name.
/// Values refer to each other by number, so nothing recurses, and their count is bounded. `origin` names the file in
/// errors, which are Error(Input). Source: PyTorch, torch/serialization.py and torch/_utils.py; Python,
/// Lib/pickletools.py.
TorchPickle readTorchPickle(std::span<const std::uint8_t> bytes, const std::string& origin);

// Steps of readTorchPickle().

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

/// Element type of "torch.FloatStorage" and the like; absent for any other name.
std::optional<at::ScalarType> torchStorageType(std::string_view name);
/// True for the Python names ("module.name") that a PyTorch file may use: they rebuild tensors or hold attributes, and
/// do nothing else. Source: PyTorch, torch/_utils.py and torch/jit/_pickle.py.
bool isHarmlessTorchName(std::string_view name);
/// True if a tensor lies inside its storage of `count` elements and has no more elements than that. Safe for any
/// numbers, as long as sizes and strides are equally many and none is negative.
bool liesInside(const TorchPickle::Place& place, std::int64_t count);

}  // namespace palimpsest
