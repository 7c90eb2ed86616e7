// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// What a program learns with.
struct EngineFacts {
    std::filesystem::path module;  ///< file of the learning engine; empty: linked into the program, or none was found
    std::string libtorch;          ///< version
    std::string device;            ///< "CPU, 2 threads" or "CUDA, 1 GPU"
    std::string gpu;               ///< half a sentence on GPUs: what there is, or why there is none
    std::string problem, hint;     ///< why nothing can learn here, and what to do; empty where it can
    ErrorKind kind = ErrorKind::Run;  ///< of the problem
};

}  // namespace palimpsest
