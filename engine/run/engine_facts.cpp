// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/engine_facts.h"

#include <cctype>

namespace palimpsest {

std::vector<std::pair<std::string, std::string>> engineRows(const EngineFacts& facts) {
    std::vector<std::pair<std::string, std::string>> rows;
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) rows.emplace_back(name, value);
    };
    add("Learning engine", facts.module.string());
    add("LibTorch", facts.libtorch);
    add("Device", facts.device);
    std::string gpu = facts.gpu;
    if (!gpu.empty()) gpu[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(gpu[0])));
    add("GPU", gpu);
    // A device that is the processor says it itself.
    if (facts.threads > 0 && facts.device.find("thread") == std::string::npos)
        add("Processor threads", std::to_string(facts.threads));
    return rows;
}

std::string engineAdvice(const EngineFacts& facts) {
    if (!facts.problem.empty()) return facts.hint;
    switch (facts.gpu_state) {
        case GpuState::NoCuda:
            return "Everything learns on the processor. For an NVIDIA GPU, build with a LibTorch that has CUDA: "
                   "`app/run --gpu` takes Debian 13's own, `app/run --torch DIR` one of pytorch.org, and NVIDIA's "
                   "driver must be installed.";
        case GpuState::NoDevice:
            return "Everything learns on the processor, though this LibTorch knows CUDA. For an NVIDIA GPU, install "
                   "NVIDIA's driver; `nvidia-smi` then lists the GPU.";
        case GpuState::Ready:
        case GpuState::Unknown:
            break;
    }
    return {};
}

}  // namespace palimpsest
