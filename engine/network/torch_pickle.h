// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/network/tensor.h"

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

}  // namespace palimpsest
