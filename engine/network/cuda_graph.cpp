// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that needs CUDA's own headers. PALIMPSEST_CUDA is set where CMake has found them beside a LibTorch that
// has CUDA; anywhere else there are no graphs, and nothing else is missing.
#include "engine/network/device_graph.h"

#include <torch/csrc/api/include/torch/version.h>

#if defined(PALIMPSEST_CUDA) && (TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1))

#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAStream.h>

namespace palimpsest {
namespace {

class CudaGraph : public DeviceGraph {
public:
    void record(const std::function<void()>& work) override {
        // Calls of other threads (the images of another run, say) are none of this recording's business.
        graph_.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
        try {
            work();
        } catch (...) {
            // The stream has to leave the recording, whatever has become of it.
            try {
                graph_.capture_end();
            } catch (...) {
            }
            throw;
        }
        graph_.capture_end();
    }
    void replay() override { graph_.replay(); }

private:
    at::cuda::CUDAGraph graph_;
};

}  // namespace

std::unique_ptr<DeviceGraph> makeDeviceGraph(at::Device device) {
    // The default stream cannot be recorded.
    if (!device.is_cuda() ||
        c10::cuda::getCurrentCUDAStream(device.index()) == c10::cuda::getDefaultCUDAStream(device.index()))
        return nullptr;
    return std::make_unique<CudaGraph>();
}

bool hasDeviceGraphs() {
    return true;
}

}  // namespace palimpsest

#else

namespace palimpsest {

std::unique_ptr<DeviceGraph> makeDeviceGraph(at::Device) {
    return nullptr;
}

bool hasDeviceGraphs() {
    return false;
}

}  // namespace palimpsest

#endif
