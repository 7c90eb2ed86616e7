// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Content of a file of named tensors; readTensorFile() in tensor_file.h lists the formats.
struct TensorFile {
    std::vector<NamedTensor> tensors;  ///< in the order of their data, on the CPU
    std::map<std::string, std::string> metadata;

    const Tensor* find(const std::string& name) const;
    /// The tensor of that name. Throws Error(Input) when it is absent.
    const Tensor& at(const std::string& name) const;
    std::string origin;  ///< for messages
    std::string format;  ///< "safetensors", "NumPy .npz" or "PyTorch"
};

/// Reads a .safetensors file: 8-byte little-endian header length, JSON header, raw little-endian data. Nothing is
/// executed. Throws Error(Input) for a missing, truncated or malformed file: overlapping or out-of-range data, unknown
/// types, repeated names, headers over 100 MB. Tensors are copied out of the file, so their position in it needs no
/// alignment.
TensorFile readSafetensors(const std::filesystem::path& file);
/// Throws Error(Input) when the file cannot be written: a folder of that name, no such parent, no permission.
void checkWritable(const std::filesystem::path& file);
/// Writes F32, F64, F16, BF16, I64, I32, U8 and BOOL to a temporary file that is then renamed; tensors may be on any
/// device. If it throws, an earlier file of that name is unchanged.
void writeSafetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {});

}  // namespace palimpsest
