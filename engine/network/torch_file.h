// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/safetensors.h"

namespace palimpsest {

/// Reads the tensors of a zip archive of torch.save (PyTorch 1.6 and up) or of a TorchScript program; torch_pickle.h
/// says which pickles are read and why it is safe. A bare tensor is named "tensor"; all tensors come to the CPU. Throws
/// Error(Input) for damage, and for a storage whose size does not match its tensors.
TensorFile readTorchFile(const std::filesystem::path& file);

}  // namespace palimpsest
