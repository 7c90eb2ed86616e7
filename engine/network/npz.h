// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/safetensors.h"

namespace palimpsest {

/// Reads the arrays of a NumPy .npz: a zip archive, stored or deflated, of .npy files (formats 1 to 3) in C or Fortran
/// order, of little-endian numbers or truth values; names lose their ".npy". Throws Error(Input) for damage, for arrays
/// of Python objects, which would have to be executed, and for an array that comes twice. Source: NumPy,
/// numpy/lib/format.py.
TensorFile readNpz(const std::filesystem::path& file);

}  // namespace palimpsest
