// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/safetensors.h"

namespace palimpsest {

/// The tensors of a zip archive of torch.save (PyTorch 1.6 and up) or of a TorchScript program; see torch_pickle.h for
/// what is read and why it is safe. A bare tensor is named "tensor"; wherever tensors were, they come to the CPU.
/// Throws Error(Input) for damage, and for a storage of another size than its tensors say.
TensorFile readTorchFile(const std::filesystem::path& file);

}  // namespace palimpsest
