// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/safetensors.h"

namespace palimpsest {

/// Reads a file of named tensors, whatever its ending: .safetensors (see safetensors.h), NumPy's .npz (npz.h) or a zip
/// archive of torch.save (torch_file.h), in which a bare tensor gets the name "tensor". Nothing in a file is executed.
/// Throws Error(Input) for a file of no such format, and whatever the readers throw; PyTorch files from before version
/// 1.6 and bare pickles are refused with a hint how to convert them. A StopScope can end it between two tensors.
TensorFile readTensorFile(const std::filesystem::path& file);

}  // namespace palimpsest
