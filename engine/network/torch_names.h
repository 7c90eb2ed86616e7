// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "engine/network/tensor.h"

namespace palimpsest {

// Python names ("module.name") that a PyTorch file may use. Source: PyTorch, torch/_utils.py and torch/jit/_pickle.py.

inline constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
inline constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";
inline constexpr std::string_view kOrderedDict = "collections.OrderedDict";

/// Element type of "torch.FloatStorage" and the like; absent for any other name.
std::optional<at::ScalarType> storageType(std::string_view name);
/// True for the functions that TorchScript wraps around lists and dictionaries; their first argument is the content.
bool isWrapper(std::string_view name);
/// True for classes of a TorchScript program and for argparse.Namespace, in which checkpoints keep the command line:
/// both are read as mere holders of attributes.
bool isPlainObject(std::string_view name);
/// True for any of the above: the name rebuilds tensors or holds attributes, and does nothing else.
bool isHarmless(std::string_view name);

}  // namespace palimpsest
