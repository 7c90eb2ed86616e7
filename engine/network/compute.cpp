// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/compute.h"

#include <dlfcn.h>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/api/include/torch/version.h>

#include <mutex>
#include <thread>

#include "engine/inputs/opencv_threads.h"
#include "engine/kernels/tile_product.h"
#include "engine/network/device_graph.h"
#include "engine/support/calm_threads.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

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

/// True for a card of compute capability 8.0 or more, which has bfloat16 and TF32. LibTorch does not say without the
/// toolkit's headers, so the runtime that it has loaded is asked.
bool isAmpereOrLater(const at::Device& device) {
    using GetAttribute = int (*)(int* value, int attribute, int device);
    constexpr int kCapabilityMajor = 75;  // cudaDevAttrComputeCapabilityMajor
    const auto attribute = reinterpret_cast<GetAttribute>(dlsym(RTLD_DEFAULT, "cudaDeviceGetAttribute"));
    int major = 0;
    return attribute && attribute(&major, kCapabilityMajor, device.index()) == 0 && major >= 8;
}

bool suitsBfloat16(const at::Device& device) {
    return device.is_cuda() ? isAmpereOrLater(device) : at::hasMKLDNN() && processorHasBfloat16Tiles();
}

}  // namespace

std::string Compute::deviceName() const {
    return device.is_cuda() ? "cuda:" + std::to_string(device.index()) : "cpu";
}

std::string Compute::precisionName() const {
    return type != at::kFloat ? "bfloat16" : tf32 ? "tf32" : "float32";
}

bool processorHasBfloat16Tiles() {
    return hasTileProducts();
}

const char* bfloat16Kernels() {
    return hasTileProducts() ? "tiles" : "LibTorch";
}

Compute prepareCompute(const std::string& device, const std::string& precision, std::int64_t threads) {
    Compute compute;
    compute.device = resolveDevice(device);
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    compute.threads = threads > 0 ? static_cast<int>(threads) : static_cast<int>(cores);
    if (compute.threads > 1) calmThreads();
    at::set_num_threads(compute.threads);
    at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/true);
    at::globalContext().setDeterministicCuDNN(true);
    at::globalContext().setBenchmarkCuDNN(false);
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 2)
    // The engine never reads memory before it writes it, so filling every new tensor would only cost time.
    at::globalContext().setDeterministicFillUninitializedMemory(false);
#endif
    keepOpenCvToItsCaller();
    if (precision == "bfloat16" || (precision == "auto" && suitsBfloat16(compute.device))) compute.type = at::kBFloat16;
    compute.tf32 = precision == "tf32";
    if (compute.tf32 && (!compute.device.is_cuda() || !isAmpereOrLater(compute.device)))
        throw inputError("The precision \"tf32\" was asked for, but " + compute.deviceName() +
                             " has no TF32: only NVIDIA's GPUs from the Ampere generation on have it.",
                         "Set precision to float32 or auto.");
    if (compute.device.is_cuda()) compute.tf32_claim = claimTf32(compute.tf32);
    return compute;
}

std::shared_ptr<const void> claimTf32(bool on) {
    static std::mutex mutex;
    static std::weak_ptr<const bool> held;
    const std::lock_guard lock(mutex);
    std::shared_ptr<const bool> claim = held.lock();
    if (claim && *claim != on)
        throw inputError(std::string("This run computes ") + (on ? "in" : "without") +
                             " TF32, but another run that is under way on a GPU computes " + (on ? "without" : "in") +
                             " it, and LibTorch has one switch for both.",
                         "Let the other run end first, or give both the same precision.");
    if (!claim) {
        claim = std::make_shared<const bool>(on);
        held = claim;
        at::globalContext().setAllowTF32CuBLAS(on);
        at::globalContext().setAllowTF32CuDNN(on);
    }
    return claim;
}

std::string precisionNote(const Compute& compute) {
    if (compute.type != at::kBFloat16 || !compute.device.is_cpu() || processorHasBfloat16Tiles()) return {};
    return "This processor has no matrix unit for bfloat16 that can be used: it is slower here than float32, on some "
           "processors 30 times; precision = \"auto\" chooses the faster one.";
}

namespace {

int processorThreads() {
    return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

GpuState gpuState() {
    if (!at::globalContext().hasCUDART()) return GpuState::NoCuda;
    return at::hasCUDA() ? GpuState::Ready : GpuState::NoDevice;
}

}  // namespace

std::string deviceText() {
    if (at::hasCUDA())
        return "CUDA, " + std::to_string(at::detail::getCUDAHooks().getNumGPUs()) + " GPU" +
               (at::detail::getCUDAHooks().getNumGPUs() == 1 ? "" : "s");
    const int cores = processorThreads();
    return "CPU, " + std::to_string(cores) + (cores == 1 ? " thread" : " threads");
}

std::string gpuText() {
    const GpuState state = gpuState();
    if (state == GpuState::NoCuda) return "this LibTorch has no CUDA";
    if (state == GpuState::NoDevice) return "this LibTorch has CUDA, but finds no GPU or no driver for it";
    return deviceText() + (hasDeviceGraphs() ? ", with CUDA graphs" : ", without CUDA graphs");
}

std::string libtorchVersion() {
    return TORCH_VERSION;
}

EngineFacts engineFacts() {
    EngineFacts facts;
    facts.libtorch = libtorchVersion();
    facts.device = deviceText();
    facts.gpu = gpuText();
    facts.gpu_state = gpuState();
    facts.threads = processorThreads();
    return facts;
}

}  // namespace palimpsest
