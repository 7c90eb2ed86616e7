// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/compute.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <thread>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

double secondsOfProduct(at::ScalarType type) {
    NoGradGuard guard;
    const auto options = at::TensorOptions(type);
    const Tensor x = at::ones({2048, 128}, options), w = at::ones({512, 128}, options), b = at::ones({512}, options);
    at::linear(x, w, b);
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto start = std::chrono::steady_clock::now();
        at::linear(x, w, b);
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

at::Device resolveDevice(const std::string& name) {
    if (name == "auto") return at::hasCUDA() ? at::Device(at::kCUDA, 0) : at::Device(at::kCPU);
    if (name == "cpu") return at::kCPU;
    if (name == "cuda" || name.rfind("cuda:", 0) == 0) {
        if (!at::hasCUDA())
            throw inputError("The device \"" + name + "\" was asked for, but this LibTorch sees no CUDA GPU.",
                             "Use device = \"auto\" or \"cpu\", or build with a CUDA LibTorch.");
        const std::string index = name.size() > 5 ? name.substr(5) : "0";
        if (index.find_first_not_of("0123456789") != std::string::npos || index.size() > 3)
            throw inputError("\"" + name + "\" names no device.", "Write cuda:0, cuda:1 and so on.");
        const int number = std::stoi(index);
        if (number >= static_cast<int>(at::detail::getCUDAHooks().getNumGPUs()))
            throw inputError("The device \"" + name + "\" was asked for, but there are only " +
                                 std::to_string(at::detail::getCUDAHooks().getNumGPUs()) + " GPUs.",
                             "Use device = \"auto\".");
        return at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(number));
    }
    throw inputError("\"" + name + "\" names no device.", "Use auto, cpu, cuda:0, cuda:1 and so on.");
}

}  // namespace

std::string Compute::deviceName() const { return device.is_cuda() ? "cuda:" + std::to_string(device.index()) : "cpu"; }

std::string Compute::precisionName() const { return type == at::kFloat ? "float32" : "bfloat16"; }

double bfloat16Gain() {
    static const double gain = secondsOfProduct(at::kFloat) / secondsOfProduct(at::kBFloat16);
    return gain;
}

Compute prepareCompute(const std::string& device, const std::string& precision, std::int64_t threads) {
    Compute compute;
    compute.device = resolveDevice(device);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    compute.threads = threads > 0 ? static_cast<int>(threads) : static_cast<int>(cores);
    at::set_num_threads(compute.threads);
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    at::globalContext().setDeterministicCuDNN(true);
    at::globalContext().setBenchmarkCuDNN(false);
    if (precision == "bfloat16")
        compute.type = at::kBFloat16;
    else if (precision == "auto")
        compute.type = compute.device.is_cpu() && bfloat16Gain() >= 1.5 ? at::kBFloat16 : at::kFloat;
    else
        compute.type = at::kFloat;
    return compute;
}

}  // namespace palimpsest
