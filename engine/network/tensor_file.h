// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>

#include "engine/network/tensor.h"
#include "engine/support/file_io.h"

namespace palimpsest {

/// Hint of errors about a damaged file.
inline constexpr const char* kDamagedFileHint = "Download or make the file again.";

/// Content of a file of named tensors.
struct TensorFile {
    std::vector<NamedTensor> tensors;  ///< in the order of their data, on the CPU
    std::map<std::string, std::string> metadata;

    const Tensor* find(const std::string& name) const;
    /// The tensor of that name. Throws Error(Input) when it is absent.
    const Tensor& at(const std::string& name) const;
    std::string origin;  ///< for messages
    std::string format;  ///< "safetensors", "NumPy .npz" or "PyTorch"
};

/// A tensor whose bytes `fill` writes. Truth values are read as numbers first, since bytes other than 0 and 1 are
/// undefined as bool.
template <class Fill>
Tensor filledTensor(at::IntArrayRef sizes, at::ScalarType type, const Fill& fill) {
    const bool isBool = type == at::kBool;
    Tensor tensor = at::empty(sizes, at::TensorOptions(isBool ? at::kByte : type));
    fill(tensor.data_ptr());
    return isBool ? tensor.ne(0) : tensor;
}

/// Reads a file of named tensors, whatever its ending: .safetensors, NumPy's .npz or a zip archive of torch.save.
/// Nothing in a file is executed. Throws Error(Input) for a file of no such format, and whatever the readers below
/// throw; PyTorch files from before version 1.6 and bare pickles are refused with a hint how to convert them. A
/// StopScope can end it between two tensors.
TensorFile readTensorFile(const std::filesystem::path& file);

/// Reads a .safetensors file: 8-byte little-endian header length, JSON header, raw little-endian data. Throws
/// Error(Input) for a missing, truncated or malformed file: overlapping or out-of-range data, unknown types, repeated
/// names, headers over 100 MB. Tensors are copied out of the file, so their position in it needs no alignment.
TensorFile readSafetensors(const std::filesystem::path& file, FilePlace place = FilePlace::Named);

/// Reads the arrays of a NumPy .npz: a zip archive, stored or deflated, of .npy files (formats 1 to 3) in C or Fortran
/// order, of little-endian numbers or truth values; names lose their ".npy". Throws Error(Input) for damage, for arrays
/// of Python objects, which would have to be executed, and for an array that comes twice. Source: NumPy,
/// numpy/lib/format.py.
TensorFile readNpz(const std::filesystem::path& file);

/// Reads the tensors of a zip archive of torch.save (PyTorch 1.6 and up) or of a TorchScript program; torch_pickle.h
/// says which pickles are read and why it is safe. A bare tensor is named "tensor"; all tensors come to the CPU. Throws
/// Error(Input) for damage, and for a storage whose size does not match its tensors.
TensorFile readTorchFile(const std::filesystem::path& file);

/// Throws Error(Input) when the file cannot be written: a folder of that name, no such parent, no permission. Removes
/// what a killed program has left beside it.
void checkWritable(const std::filesystem::path& file);
/// Writes F32, F64, F16, BF16, I64, I32, U8 and BOOL to a temporary file that is then renamed; tensors may be on any
/// device. If it throws, an earlier file of that name is unchanged. A loss of power takes no file that has its name,
/// unless `keep` says otherwise: what was learned for hours is worth the wait for the disk.
void writeSafetensors(const std::filesystem::path& file, const std::vector<NamedTensor>& tensors,
                      const std::map<std::string, std::string>& metadata = {}, FilePlace place = FilePlace::Named,
                      Keep keep = Keep::OnDiskWithName);

}  // namespace palimpsest
