// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The engine as programs see it. Nothing here, nor in any header it includes, needs LibTorch, OpenCV or Qt. What only a
// command needs (verify, bench, pretrain) has its own header beside its code.

#include <filesystem>

#include "engine/adaptation/adapt_prompts.h"
#include "engine/inputs/local_dataset_service.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/backbone_file_service.h"
#include "engine/network/device_text.h"
#include "engine/run/laboratory.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "engine/trust/check_trust.h"

namespace palimpsest {

/// Sets what belongs to all of the program and is read by libraries once: the workspace of cuBLAS and the threads of
/// OpenCV. To be called by main, before other threads start.
void prepareProgram();

/// Everything the window needs; runs are written below `runs`.
Laboratory makeLaboratory(const std::filesystem::path& runs);

}  // namespace palimpsest
