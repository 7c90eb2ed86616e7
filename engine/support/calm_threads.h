// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Makes LibTorch's OpenMP threads sleep soon when they wait, rather than spin: on a machine whose cores are busy with
/// something else (a window that paints, a compiler) spinning made runs many times slower. A wish of the user
/// (GOMP_SPINCOUNT, OMP_WAIT_POLICY) is left alone, and so is every OpenMP but GCC's. Calls after the first do nothing.
/// False when nothing was done, now or before.
bool calmThreads();

/// Gives cuBLAS the fixed workspace without which its sums may differ from run to run, unless the user chose another.
/// cuBLAS reads this once, before the first CUDA call; call it before other threads start, since it changes the
/// environment.
void fixCublasWorkspace();

}  // namespace palimpsest
