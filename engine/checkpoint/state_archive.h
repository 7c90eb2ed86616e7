// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Named values that an object's state is made of. One description of it both saves and restores, so that the two
/// cannot drift apart: `archive("seen", seen_)` copies the member into the archive or sets it from there. Restoring
/// throws Error(Input) that names a value which is missing or of another kind or shape, but for single tensors of an
/// object's own, which may be undefined; what was visited until then has changed.
class StateArchive {
public:
    /// Saves.
    StateArchive() = default;
    /// Restores from what another archive saved; tensors come to `device`.
    StateArchive(TensorsByName saved, at::Device device)
        : tensors_(std::move(saved)), device_(device), restoring_(true) {}

    bool restoring() const { return restoring_; }
    const TensorsByName& tensors() const { return tensors_; }

    /// Names of what is visited by `visit` begin with `part` and a full stop.
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
    /// The generator goes on with the same numbers.
    void operator()(const std::string& name, Random& random);
    /// A tensor of the object's own, which may be undefined.
    void operator()(const std::string& name, Tensor& tensor);
    void operator()(const std::string& name, std::vector<Tensor>& tensors);
    /// A tensor that others hold, too, such as a parameter: restoring writes its values into it.
    void shared(const std::string& name, const Tensor& tensor);

    /// While restoring: throws Error(Input) unless all values lie in the range, both ends included.
    void requireRange(const std::string& name, std::span<const std::int64_t> values, std::int64_t least,
                      std::int64_t most) const;

    /// What was saved here, under names without the prefix; empty while saving.
    TensorsByName part() const;
    /// Adds tensors as they are; only while saving.
    void put(const std::vector<NamedTensor>& tensors);

private:
    template <class Value>
    void numbers(const std::string& name, std::vector<Value>& values, at::ScalarType type);
    /// The one of that name and kind, with `dims` dimensions.
    const Tensor& found(const std::string& name, at::ScalarType type, std::int64_t dims) const;

    TensorsByName tensors_;
    at::Device device_ = at::kCPU;
    bool restoring_ = false;
    std::string prefix_;
};

/// SHA-256 over names, kinds, shapes and bytes of all tensors: the same for the same state to the last bit.
std::string stateHash(const TensorsByName& tensors);

}  // namespace palimpsest
