// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>
#include <c10/core/StreamGuard.h>

#include <optional>
#include <vector>

#include "engine/network/tensor.h"

// Copies between the processor and a GPU that the processor does not wait for. A GPU works through its streams, each in
// order; an event marks a place in one, which another stream or the processor can wait for. On the processor a copy is
// the tensor itself. LibTorch's device-independent classes serve, so that this needs no header of CUDA's.

namespace palimpsest {

/// A tensor on a device. From the processor to a GPU it goes through pinned memory, on the current stream.
Tensor onDevice(const Tensor& host, at::Device device);
/// int64 [N] on a device, in the same way.
Tensor indexOn(at::IntArrayRef values, at::Device device);
/// A new tensor in the processor's memory, pinned where it is to be copied to a GPU: its copy needs no further one.
Tensor emptyFor(at::Device device, at::IntArrayRef sizes, at::ScalarType type);

/// Tensors on their way to the processor. The copies begin at once, behind what the current stream has to do.
class HostCopy {
public:
    HostCopy() = default;
    /// Undefined tensors stay so.
    explicit HostCopy(const std::vector<Tensor>& sources);
    /// The tensors in the processor's memory, after waiting for them. What else the stream got to do since is not
    /// waited for.
    const std::vector<Tensor>& get();

private:
    std::vector<Tensor> tensors_;
    std::optional<c10::Event> arrived_;
};

/// A tensor on its way to a GPU.
class StagedCopy {
public:
    StagedCopy() = default;
    explicit StagedCopy(const Tensor& there) : tensor_(there) {}
    bool defined() const { return tensor_.defined(); }
    /// The tensor on its device. What the current stream gets to do from now on waits for it there.
    const Tensor& get();

private:
    friend class CopyStream;
    Tensor tensor_;
    std::optional<c10::Event> arrived_;
};

/// A stream of a GPU for copies to it beside the work of the current stream.
class CopyStream {
public:
    explicit CopyStream(at::Device device) : device_(device) {}
    StagedCopy begin(const Tensor& host);

private:
    at::Device device_;
    std::optional<c10::Stream> stream_;  // made at first use
};

/// While this lives, its thread computes on a stream of its own on that GPU: two runs need not wait for each other, and
/// what goes on there can be recorded (DeviceGraph). Does nothing for the processor.
class ComputeStream {
public:
    explicit ComputeStream(at::Device device);

private:
    std::optional<c10::StreamGuard> guard_;
};

}  // namespace palimpsest
