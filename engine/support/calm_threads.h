// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Makes LibTorch's OpenMP threads sleep soon when they wait, rather than spin: on a machine whose cores are busy with
/// something else (a window that paints, a compiler) spinning made runs many times slower. OpenMP reads this when the
/// program is loaded, so the first call starts the program anew with it set. Also gives cuBLAS the fixed workspace
/// without which its sums may differ from run to run. Values set by the user are left alone.
void calmThreads(char** argv);

}  // namespace palimpsest
