// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Work of a GPU that is recorded once and then started again as a whole, which costs the processor a single launch
/// rather than hundreds (a CUDA graph). The work is the same each time, on the same memory: what it reads is whatever
/// stands in its tensors by then, and it may not ask the device for an answer.
class DeviceGraph {
public:
    virtual ~DeviceGraph() = default;
    /// Calls `work` and records what it launches on the current stream, without carrying it out. Throws what `work`
    /// throws, and c10::Error where something cannot be recorded; then the object is of no further use.
    virtual void record(const std::function<void()>& work) = 0;
    /// Launches what was recorded, on the current stream.
    virtual void replay() = 0;
};

/// Null where none can be had: on the processor, with a LibTorch before 2.1 or without CUDA, or where the program was
/// built without CUDA's headers.
std::unique_ptr<DeviceGraph> makeDeviceGraph(at::Device device);
/// True if makeDeviceGraph() makes one for a GPU, in this build.
bool hasDeviceGraphs();

}  // namespace palimpsest
