// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/device_copies.h"

#include <c10/core/DeviceGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <chrono>
#include <thread>

namespace palimpsest {
namespace {

c10::Stream currentStream(at::Device device) {
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
}

/// A stream out of LibTorch's pool. Those for copies come from another pool than those for computing, so that they are
/// never the same.
c10::Stream pooledStream(at::Device device, bool forCopies) {
    return c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device, /*isHighPriority=*/forCopies);
}

/// The processor sleeps between two looks, since other threads have work meanwhile.
void waitFor(const c10::Event& event) {
    while (!event.query()) std::this_thread::sleep_for(std::chrono::microseconds(20));
}

}  // namespace

Tensor onDevice(const Tensor& host, at::Device device) {
    if (!device.is_cuda() || host.is_cuda()) return host.to(device);
    // Pinning would otherwise take memory of the first GPU, too.
    const c10::OptionalDeviceGuard guard(device);
    return host.pin_memory().to(device, /*non_blocking=*/true);
}

Tensor indexOn(at::IntArrayRef values, at::Device device) {
    return onDevice(at::tensor(values, at::kLong), device);
}

Tensor emptyFor(at::Device device, at::IntArrayRef sizes, at::ScalarType type) {
    if (!device.is_cuda()) return at::empty(sizes, type);
    const c10::OptionalDeviceGuard guard(device);
    return at::empty(sizes, at::TensorOptions(type).pinned_memory(true));
}

HostCopy::HostCopy(const std::vector<Tensor>& sources) {
    std::optional<at::Device> gpu;
    for (const Tensor& source : sources) {
        if (!source.defined() || source.is_cpu()) {
            tensors_.push_back(source);
            continue;
        }
        gpu = source.device();
        // A copy that is not waited for gets pinned memory from LibTorch.
        tensors_.push_back(source.detach().to(at::kCPU, /*non_blocking=*/true));
    }
    if (!gpu) return;
    const c10::OptionalDeviceGuard guard(*gpu);
    arrived_.emplace(gpu->type());
    arrived_->record(currentStream(*gpu));
}

const std::vector<Tensor>& HostCopy::get() {
    if (arrived_) waitFor(*arrived_);
    arrived_.reset();
    return tensors_;
}

const Tensor& StagedCopy::get() {
    if (arrived_) {
        const c10::Stream stream = currentStream(tensor_.device());
        arrived_->block(stream);
        // Its memory belongs to the stream of the copies, which must not use it again before this one has done with it.
        tensor_.record_stream(stream);
        arrived_.reset();
    }
    return tensor_;
}

StagedCopy CopyStream::begin(const Tensor& host) {
    if (!device_.is_cuda()) return StagedCopy(host.to(device_));
    if (!stream_) stream_ = pooledStream(device_, /*forCopies=*/true);
    const c10::StreamGuard guard(*stream_);
    StagedCopy copy(onDevice(host, device_));
    copy.arrived_.emplace(device_.type());
    copy.arrived_->record(*stream_);
    return copy;
}

ComputeStream::ComputeStream(at::Device device) {
    if (device.is_cuda()) guard_.emplace(pooledStream(device, /*forCopies=*/false));
}

}  // namespace palimpsest
