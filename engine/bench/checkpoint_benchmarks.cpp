// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/checkpoint_benchmarks.h"

#include "engine/bench/bench_method.h"
#include "engine/bench/scratch_folder.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/network/compute.h"
#include "engine/support/digest.h"
#include "engine/support/file_io.h"
#include "engine/network/tensor_file.h"

namespace palimpsest {
namespace {

/// A method that has learned one batch, so that its optimiser has moments to save.
struct Kept {
    std::shared_ptr<Method> method;
    ScratchFolder folder;
    std::int64_t bytes = 0;
};

EngineBenchmark checkpoint(const std::string& title, const std::string& name, const VitShape& shape = {}) {
    const auto kept = std::make_shared<std::unique_ptr<Kept>>();
    const auto body = [=](std::int64_t count) {
        prepareCompute("cpu", "float32", 0);
        if (!*kept) {
            *kept = std::make_unique<Kept>();
            (*kept)->method = benchMethod(name, at::kFloat, shape);
            (*kept)->method->update(noiseBatch(2, shape.image_size));
        }
        const std::filesystem::path file = (*kept)->folder.path() / "state.safetensors";
        for (std::int64_t i = 0; i < count; ++i) {
            StateArchive archive;
            (*kept)->method->keep(archive);
            std::vector<NamedTensor> named;
            for (const auto& [key, tensor] : archive.tensors()) named.push_back({key, tensor});
            stateHash(archive.tensors());
            writeSafetensors(file, named);
            syncFile(file);
            fileHash(file);
        }
        (*kept)->bytes = static_cast<std::int64_t>(std::filesystem::file_size(file));
    };
    EngineBenchmark benchmark{"checkpoint, " + title, body};
    benchmark.bytes = [kept] { return *kept ? (*kept)->bytes : 0; };
    return benchmark;
}

}  // namespace

std::vector<EngineBenchmark> checkpointBenchmarks() {
    return {checkpoint("DualPrompt", "dualprompt"), checkpoint("fine-tuning", "finetune"),
            checkpoint("DualPrompt, ViT-B/16", "dualprompt", kVitB16),
            checkpoint("fine-tuning, ViT-B/16", "finetune", kVitB16)};
}

}  // namespace palimpsest
