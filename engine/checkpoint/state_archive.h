// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Named values that make up an object's state. One description both saves and restores, so that the two cannot
/// diverge: `archive("seen", seen_)` copies the member into the archive or sets it from there. Restoring throws
/// Error(Input) that names a value which is missing or of another kind or shape, except for an object's own tensors,
/// which may be undefined; values visited before the error have already changed.
class StateArchive {
public:
    /// An archive that saves.
    StateArchive() = default;
    /// An archive that restores what another one saved; tensors are moved to `device`.
    StateArchive(TensorsByName saved, at::Device device)
        : tensors_(std::move(saved)), device_(device), restoring_(true) {}

    bool restoring() const { return restoring_; }
    const TensorsByName& tensors() const { return tensors_; }

    /// Prefixes the names of all values that `visit` visits with `part` and a full stop.
    template <class Visit>
    void within(const std::string& part, const Visit& visit) {
        const std::string before = prefix_;
        prefix_ += part + ".";
        visit();
        prefix_ = before;
    }

    void operator()(const std::string& name, bool& value);
    void operator()(const std::string& name, std::int64_t& value);
    void operator()(const std::string& name, double& value);
    void operator()(const std::string& name, std::vector<bool>& values);
    void operator()(const std::string& name, std::vector<std::int32_t>& values);
    void operator()(const std::string& name, std::vector<std::int64_t>& values);
    void operator()(const std::string& name, std::vector<double>& values);
    void operator()(const std::string& name, std::vector<std::vector<std::int64_t>>& lists);
    /// Archives the generator's state, so that it continues with the same numbers.
    void operator()(const std::string& name, Random& random);
    /// Archives a tensor of the object's own, which may be undefined.
    void operator()(const std::string& name, Tensor& tensor);
    void operator()(const std::string& name, std::vector<Tensor>& tensors);
    /// Archives a tensor that others also hold, such as a parameter: restoring writes its values into it.
    void shared(const std::string& name, const Tensor& tensor);

    /// While restoring, throws Error(Input) unless all values lie in the range, both ends included.
    void requireRange(const std::string& name, std::span<const std::int64_t> values, std::int64_t least,
                      std::int64_t most) const;

    /// Values saved under the current prefix, which their names lose; empty while saving.
    TensorsByName part() const;
    /// Adds tensors as they are; only while saving.
    void put(const std::vector<NamedTensor>& tensors);

private:
    template <class Value>
    void numbers(const std::string& name, std::vector<Value>& values, at::ScalarType type);
    /// The saved tensor of that name and kind, with `dims` dimensions.
    const Tensor& found(const std::string& name, at::ScalarType type, std::int64_t dims) const;

    TensorsByName tensors_;
    at::Device device_ = at::kCPU;
    bool restoring_ = false;
    std::string prefix_;
};

/// SHA-256 over names, kinds, shapes and bytes of all tensors; equal for states that are equal to the last bit.
std::string stateHash(const TensorsByName& tensors);

}  // namespace palimpsest
