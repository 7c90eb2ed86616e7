// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/engine_benchmarks.h"
#include "engine/bench/bench_method.h"
#include "engine/bench/checkpoint_benchmarks.h"
#include "engine/bench/data_benchmarks.h"
#include "engine/bench/isa_benchmarks.h"
#include "engine/network/compute.h"
#include "engine/train/evaluator.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kBatch = 32, kTestImages = 512;

EngineBenchmark trainingStep(const std::string& title, const std::string& name, at::ScalarType type,
                             std::int64_t images = kBatch, const VitShape& shape = {}) {
    struct Step {
        std::shared_ptr<Method> method;
        UpdateInput input;
    };
    // Set up by the first call, since the list is also made just for its names.
    const auto step = std::make_shared<Step>();
    const auto body = [=](std::int64_t count) {
        prepareCompute("cpu", "float32", 0);
        if (!step->method) {
            step->method = benchMethod(name, type, shape);
            step->input = noiseBatch(images, shape.image_size);
        }
        for (std::int64_t i = 0; i < count; ++i) step->method->update(step->input);
    };
    return {"training step, " + title, body, images};
}

void evaluateOnce(std::int64_t count) {
    prepareCompute("cpu", "float32", 0);
    static const auto method = benchMethod("dualprompt", at::kFloat);
    static NoiseTest source(kTestImages);
    static Evaluator evaluator(*method, source, kBenchClasses, true, 128, at::kCPU);
    ClassRegistry registry;
    registry.expose({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (std::int64_t i = 0; i < count; ++i) evaluator.evaluate(registry, [] { return false; });
}

}  // namespace

std::vector<EngineBenchmark> engineBenchmarks() {
    std::vector<EngineBenchmark> all = {
        trainingStep("DualPrompt, float32", "dualprompt", at::kFloat),
        trainingStep("DualPrompt, bfloat16", "dualprompt", at::kBFloat16),
        trainingStep("linear probe, float32", "linear-probe", at::kFloat),
        trainingStep("fine-tuning, float32", "finetune", at::kFloat),
        trainingStep("DualPrompt, ViT-B/16 on 4 images of 224, float32", "dualprompt", at::kFloat, 4, kVitB16),
        {"evaluation, DualPrompt, 512 images, float32", evaluateOnce, kTestImages}};
    for (EngineBenchmark& benchmark : isaBenchmarks()) all.push_back(std::move(benchmark));
    for (EngineBenchmark& benchmark : checkpointBenchmarks()) all.push_back(std::move(benchmark));
    for (EngineBenchmark& benchmark : dataBenchmarks()) all.push_back(std::move(benchmark));
    return all;
}

}  // namespace palimpsest
