// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

/// Keeps each call of OpenCV on the thread that made it: pictures are read by many threads at once already, and those
/// of LibTorch have the cores. OpenCV replaces its threads whenever their number is set, with no lock and whoever uses
/// them meanwhile, so the number is set once in a program: by its main function before other threads start, else by the
/// first run. Calls after the first do nothing.
void keepOpenCvToItsCaller();

}  // namespace palimpsest
