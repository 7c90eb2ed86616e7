// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/adaptation/adapt_prompts.h"
#include "engine/bench/engine_benchmarks.h"
#include "engine/bench/speed_page.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/backbone_fetch.h"
#include "engine/network/backbone_file_service.h"
#include "engine/network/device_text.h"
#include "engine/pretrain/pretrain.h"
#include "engine/train/attention.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/mask_lens.h"
#include "engine/train/run_experiment.h"
#include "engine/trust/check_trust.h"
#include "engine/verify/verify_golden.h"

namespace palimpsest {

/// The functions of the engine that programs call, as a module with LibTorch in it hands them out. They are the same
/// that tests link: linked_functions.cpp has a body for each that loads the module and calls its own.
struct EngineTable {
    decltype(&palimpsest::runExperiment) runExperiment;
    decltype(&palimpsest::resumeRun) resumeRun;
    decltype(&palimpsest::adaptPrompts) adaptPrompts;
    void (*checkTrust)(const TrustRequest&, RunControl&, TrustObserver&);
    decltype(&palimpsest::maskLens) maskLens;
    decltype(&palimpsest::imageAttention) imageAttention;
    decltype(&palimpsest::requireNamedFiles) requireNamedFiles;
    decltype(&palimpsest::learnsOnGpu) learnsOnGpu;
    decltype(&palimpsest::learningMemory) learningMemory;
    decltype(&palimpsest::experimentCheck) experimentCheck;
    decltype(&palimpsest::makeBackboneService) makeBackboneService;
    decltype(&palimpsest::fetchBackbone) fetchBackbone;
    decltype(&palimpsest::promptFacts) promptFacts;
    decltype(&palimpsest::deviceText) deviceText;
    decltype(&palimpsest::libtorchVersion) libtorchVersion;
    decltype(&palimpsest::gpuText) gpuText;
    decltype(&palimpsest::engineFacts) engineFacts;
    decltype(&palimpsest::pretrain) pretrain;
    decltype(&palimpsest::probeBackbones) probeBackbones;
    decltype(&palimpsest::verifyGolden) verifyGolden;
    decltype(&palimpsest::engineBenchmarks) engineBenchmarks;
    decltype(&palimpsest::speedMachine) speedMachine;
    decltype(&palimpsest::usualPrecisions) usualPrecisions;
    decltype(&palimpsest::measuredRoof) measuredRoof;
    decltype(&palimpsest::requireBackbone) requireBackbone;
    decltype(&palimpsest::measureStages) measureStages;
};

/// The name of the one function that a module exports: `const EngineTable* palimpsestEngine()`.
inline constexpr const char* kEngineFunction = "palimpsestEngine";

}  // namespace palimpsest
