// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_state.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/network/tensor_file.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_saved_state {
namespace {

/// An object with a value of every kind.
void restore(StateArchive& archive) {
    bool flag = false;
    std::int64_t count = 0;
    double rate = 0;
    std::vector<bool> flags;
    std::vector<std::int32_t> labels;
    std::vector<std::int64_t> samples;
    std::vector<double> rates;
    std::vector<std::vector<std::int64_t>> lists;
    Random random(1);
    Tensor tensor;
    std::vector<Tensor> tensors;
    const Tensor parameter = at::zeros({2, 3});
    archive("flag", flag);
    archive("count", count);
    archive("rate", rate);
    archive("flags", flags);
    archive("labels", labels);
    archive("samples", samples);
    archive("rates", rates);
    archive("lists", lists);
    archive("random", random);
    archive.within("inner", [&] {
        archive("tensor", tensor);
        archive("tensors", tensors);
        archive.shared("parameter", parameter);
    });
    archive.requireRange("samples", samples, 0, 100);
}

}  // namespace

/// The tensors of a checkpoint, and the state of an adaptation.
FUZZ_TARGET(saved_state, 1000) {
    const std::filesystem::path file = fuzz::fileWith(input, "00000100.safetensors");
    fuzz::answers([&] {
        TensorsByName saved;
        for (const NamedTensor& entry : readSafetensors(file, FilePlace::InSubfolder).tensors)
            saved[entry.name] = entry.tensor;
        stateHash(saved);
        StateArchive archive(std::move(saved), at::kCPU);
        restore(archive);
    });
    fuzz::answers([&] {
        const AdaptationState state = readAdaptationState(file);
        fuzz::answers([&] { requireSameAdaptation(file, state.facts, {{"method.name", "er"}}); });
        fuzz::answers([&] { requireStepToCome(file, state.step, 10); });
    });
}

}  // namespace palimpsest::fuzz_saved_state
