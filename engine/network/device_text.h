// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

// What programs that do not see LibTorch may say of it.

namespace palimpsest {

/// Text such as "CPU, 2 threads" or "CUDA, 1 GPU".
std::string deviceText();
std::string libtorchVersion();

}  // namespace palimpsest
