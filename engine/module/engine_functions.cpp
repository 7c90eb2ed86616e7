// SPDX-License-Identifier: GPL-3.0-or-later
// The module that programs load: the engine with LibTorch. What it shares with a program (engine_support, engine_core,
// datasets, engine_inputs) it takes from the program, so there is one of each.
#include "engine/door/engine_table.h"
#include "engine/support/module_stamp.h"

namespace {

// Programs read it in the file before they load it.
[[gnu::used]] const char kMark[] = PALIMPSEST_ENGINE_MARK PALIMPSEST_MODULE_STAMP " ";

}  // namespace

extern "C" [[gnu::visibility("default")]] const palimpsest::EngineTable* palimpsestEngine() {
    using namespace palimpsest;
    static const EngineTable table{.runExperiment = &runExperiment,
                                   .resumeRun = &resumeRun,
                                   .adaptPrompts = &adaptPrompts,
                                   .checkTrust = &checkTrust,
                                   .maskLens = &maskLens,
                                   .imageAttention = &imageAttention,
                                   .requireNamedFiles = &requireNamedFiles,
                                   .learnsOnGpu = &learnsOnGpu,
                                   .learningMemory = &learningMemory,
                                   .experimentCheck = &experimentCheck,
                                   .makeBackboneService = &makeBackboneService,
                                   .fetchBackbone = &fetchBackbone,
                                   .promptFacts = &promptFacts,
                                   .deviceText = &deviceText,
                                   .libtorchVersion = &libtorchVersion,
                                   .gpuText = &gpuText,
                                   .engineFacts = &engineFacts,
                                   .pretrain = &pretrain,
                                   .probeBackbones = &probeBackbones,
                                   .verifyGolden = &verifyGolden,
                                   .engineBenchmarks = &engineBenchmarks,
                                   .speedMachine = &speedMachine,
                                   .usualPrecisions = &usualPrecisions,
                                   .measuredRoof = &measuredRoof,
                                   .requireBackbone = &requireBackbone,
                                   .measureStages = &measureStages};
    return &table;
}
