// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"

#include <algorithm>
#include <bit>

#include "engine/support/digest.h"

namespace palimpsest {
namespace {

Tensor hostCopy(const Tensor& tensor) {
    return tensor.detach().to(tensor.options().device(at::kCPU), /*non_blocking=*/false, /*copy=*/true).contiguous();
}

Error otherKind(const std::string& name, const Tensor& tensor) {
    return inputError("The saved state holds " + name + " of another kind, shape " + sizesText(tensor.sizes()) + ".",
                      "Resume with the settings it was made with, or start again without it.");
}

}  // namespace

const Tensor& StateArchive::found(const std::string& name, at::ScalarType type, std::int64_t dims) const {
    const auto entry = tensors_.find(prefix_ + name);
    if (entry == tensors_.end())
        throw inputError("The saved state lacks " + prefix_ + name + ".", "Start again without it.");
    if (entry->second.scalar_type() != type || entry->second.dim() != dims)
        throw otherKind(prefix_ + name, entry->second);
    return entry->second;
}

template <class Value>
void StateArchive::numbers(const std::string& name, std::vector<Value>& values, at::ScalarType type) {
    const auto count = static_cast<std::int64_t>(values.size());
    if (!restoring_) {
        Tensor& copy = tensors_[prefix_ + name] = at::empty({count}, at::TensorOptions(type));
        std::copy(values.begin(), values.end(), static_cast<Value*>(copy.data_ptr()));
        return;
    }
    const Tensor saved = found(name, type, 1).contiguous();
    const auto* const first = static_cast<const Value*>(saved.data_ptr());
    values.assign(first, first + saved.numel());
}

void StateArchive::operator()(const std::string& name, std::vector<std::int32_t>& values) {
    numbers(name, values, at::kInt);
}

void StateArchive::operator()(const std::string& name, std::vector<std::int64_t>& values) {
    numbers(name, values, at::kLong);
}

void StateArchive::operator()(const std::string& name, std::vector<double>& values) {
    numbers(name, values, at::kDouble);
}

void StateArchive::operator()(const std::string& name, std::vector<bool>& values) {
    std::vector<std::int32_t> numbers(values.begin(), values.end());
    (*this)(name, numbers);
    values.assign(numbers.begin(), numbers.end());
}

void StateArchive::operator()(const std::string& name, std::int64_t& value) {
    std::vector<std::int64_t> one{value};
    (*this)(name, one);
    if (one.size() != 1) throw otherKind(prefix_ + name, tensors_.at(prefix_ + name));
    value = one.front();
}

void StateArchive::operator()(const std::string& name, bool& value) {
    std::int64_t number = value ? 1 : 0;
    (*this)(name, number);
    value = number != 0;
}

void StateArchive::operator()(const std::string& name, double& value) {
    std::vector<double> one{value};
    (*this)(name, one);
    if (one.size() != 1) throw otherKind(prefix_ + name, tensors_.at(prefix_ + name));
    value = one.front();
}

void StateArchive::operator()(const std::string& name, std::vector<std::vector<std::int64_t>>& lists) {
    std::vector<std::int64_t> lengths, all;
    for (const auto& list : lists) {
        lengths.push_back(std::ssize(list));
        all.insert(all.end(), list.begin(), list.end());
    }
    (*this)(name + ".lengths", lengths);
    (*this)(name, all);
    if (!restoring_) return;
    lists.clear();
    auto next = all.begin();
    for (const std::int64_t length : lengths) {
        if (length < 0 || length > all.end() - next) throw otherKind(prefix_ + name, tensors_.at(prefix_ + name));
        lists.emplace_back(next, next + length);
        next += length;
    }
}

void StateArchive::operator()(const std::string& name, Random& random) {
    std::vector<std::int64_t> words;
    for (const std::uint64_t word : random.state()) words.push_back(std::bit_cast<std::int64_t>(word));
    (*this)(name, words);
    if (words.size() != 2) throw otherKind(prefix_ + name, tensors_.at(prefix_ + name));
    random.restore({std::bit_cast<std::uint64_t>(words[0]), std::bit_cast<std::uint64_t>(words[1])});
}

void StateArchive::operator()(const std::string& name, Tensor& tensor) {
    if (!restoring_) {
        if (tensor.defined()) tensors_[prefix_ + name] = hostCopy(tensor);
        return;
    }
    const auto saved = tensors_.find(prefix_ + name);
    tensor = saved == tensors_.end() ? Tensor()
                                     : saved->second.to(saved->second.options().device(device_),
                                                        /*non_blocking=*/false, /*copy=*/true);
}

void StateArchive::operator()(const std::string& name, std::vector<Tensor>& tensors) {
    auto count = static_cast<std::int64_t>(tensors.size());
    (*this)(name + ".count", count);
    requireRange(name + ".count", {{count}}, 0, std::ssize(tensors_));
    if (restoring_) tensors.assign(static_cast<std::size_t>(count), Tensor());
    for (std::size_t i = 0; i < tensors.size(); ++i) (*this)(name + "." + std::to_string(i), tensors[i]);
}

void StateArchive::shared(const std::string& name, const Tensor& tensor) {
    if (!restoring_) {
        tensors_[prefix_ + name] = hostCopy(tensor);
        return;
    }
    const Tensor saved = savedTensor(tensors_, prefix_ + name, tensor.sizes());
    if (saved.scalar_type() != tensor.scalar_type()) throw otherKind(prefix_ + name, saved);
    NoGradGuard guard;
    Tensor(tensor).copy_(saved);
}

void StateArchive::requireRange(const std::string& name, std::span<const std::int64_t> values, std::int64_t least,
                                std::int64_t most) const {
    if (!restoring_) return;
    for (const std::int64_t value : values)
        if (value < least || value > most)
            throw inputError("The saved state holds " + std::to_string(value) + " in " + prefix_ + name +
                                 ", which lies from " + std::to_string(least) + " to " + std::to_string(most) + ".",
                             "Resume from another checkpoint.");
}

TensorsByName StateArchive::part() const {
    TensorsByName some;
    if (!restoring_) return some;
    for (const auto& [name, tensor] : tensors_)
        if (name.starts_with(prefix_)) some.emplace(name.substr(prefix_.size()), tensor);
    return some;
}

void StateArchive::put(const std::vector<NamedTensor>& tensors) {
    for (const auto& [name, tensor] : tensors) tensors_[prefix_ + name] = hostCopy(tensor);
}

std::string stateHash(const TensorsByName& tensors) {
    Sha256 hash;
    const auto addText = [&](const std::string& text) {
        hash.add(std::as_bytes(std::span(text)));
        hash.add(std::as_bytes(std::span("\0", 1)));
    };
    for (const auto& [name, tensor] : tensors) {
        addText(name);
        addText(at::toString(tensor.scalar_type()) + sizesText(tensor.sizes()));
        const Tensor host = tensor.to(at::kCPU).contiguous();
        hash.add(std::span(static_cast<const std::byte*>(host.data_ptr()), host.nbytes()));
    }
    return hash.hex();
}

}  // namespace palimpsest
