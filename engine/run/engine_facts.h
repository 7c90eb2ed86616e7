// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/error.h"

namespace palimpsest {

/// How far a GPU can be used.
enum class GpuState {
    Unknown,   ///< nobody has asked LibTorch
    NoCuda,    ///< LibTorch was built without CUDA
    NoDevice,  ///< it has CUDA, but there is no GPU or no driver
    Ready,
};

/// What a program learns with.
struct EngineFacts {
    std::filesystem::path module;  ///< file of the learning engine; empty: linked into the program, or none was found
    std::string libtorch;          ///< version
    std::string device;            ///< "CPU, 2 threads" or "CUDA, 1 GPU"
    std::string gpu;               ///< half a sentence on GPUs: what there is, or why there is none
    GpuState gpu_state = GpuState::Unknown;
    int threads = 0;                  ///< that the processor has; 0: not known
    std::string problem, hint;        ///< why nothing can learn here, and what to do; empty where it can
    ErrorKind kind = ErrorKind::Run;  ///< of the problem
};

/// What is known of it as names with values, for people.
std::vector<std::pair<std::string, std::string>> engineRows(const EngineFacts& facts);
/// What to do about what is missing, in whole sentences with commands in backquotes; empty where nothing is missing,
/// and where nothing is known.
std::string engineAdvice(const EngineFacts& facts);

}  // namespace palimpsest
