// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "engine/network/tensor.h"

namespace palimpsest {

// What a PyTorch file may name ("module.name") of Python. Source: PyTorch, torch/_utils.py and torch/jit/_pickle.py.

inline constexpr std::string_view kRebuildTensor = "torch._utils._rebuild_tensor_v2";
inline constexpr std::string_view kRebuildParameter = "torch._utils._rebuild_parameter";
inline constexpr std::string_view kOrderedDict = "collections.OrderedDict";

/// Of the elements of "torch.FloatStorage" and its kind; absent for any other name.
std::optional<at::ScalarType> storageType(std::string_view name);
/// What TorchScript writes around lists and dictionaries; their content is the first argument.
bool isWrapper(std::string_view name);
/// Classes of a TorchScript program, and what checkpoints keep the command line in: here no more than the names of
/// their attributes.
bool isPlainObject(std::string_view name);
/// Any of the above: it rebuilds tensors or holds attributes, and does nothing else.
bool isHarmless(std::string_view name);

}  // namespace palimpsest
