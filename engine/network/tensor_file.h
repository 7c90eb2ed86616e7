// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/safetensors.h"

namespace palimpsest {

/// A file of named tensors, whatever its name ends with: .safetensors (see safetensors.h), NumPy's .npz (npz.h) or a
/// zip archive of torch.save (torch_file.h), in which one bare tensor gets the name "tensor". Nothing of a file is
/// executed. Throws Error(Input) for a file of no such format, and what the readers throw; PyTorch files from before
/// version 1.6 and bare pickles are refused with what to do about them. A StopScope can end it between two tensors.
TensorFile readTensorFile(const std::filesystem::path& file);

}  // namespace palimpsest
