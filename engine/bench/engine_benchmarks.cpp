// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include "engine/api.h"
#include "engine/bench/data_benchmarks.h"
#include "engine/bench/isa_benchmarks.h"
#include "engine/network/compute.h"
#include "engine/network/vit.h"
#include "engine/train/evaluator.h"
#include "engine/train/logit_mask.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kClasses = 10, kBatch = 32, kTestImages = 512;

/// Random images: speed does not depend on what they show.
class NoiseTest : public TestSource {
public:
    explicit NoiseTest(std::int64_t count, std::int64_t side = 32)
        : images_(at::zeros({count, 3, side, side})), labels_(static_cast<std::size_t>(count)) {
        Random random(1);
        fillUniform(images_, random, -1, 1);
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % kClasses);
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        const std::vector<std::int64_t> rows(samples.begin(), samples.end());
        return {images_.index_select(0, at::tensor(rows, at::kLong)), rows};
    }

private:
    Tensor images_;
    std::vector<std::int32_t> labels_;
};

/// The network of the paper's experiments.
constexpr VitShape kBase16{224, 16, 3, 768, 12, 12, 4};

std::shared_ptr<Method> benchMethod(const std::string& name, at::ScalarType type, const VitShape& shape = {}) {
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(shape);
    setup.vit->initialise(Random(1));
    setup.vit->setComputeType(type);
    setup.classes = kClasses;
    setup.method = {name, "full-pool", 10, 10, 20};
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    return makeMethod(setup);
}

EngineBenchmark trainingStep(const std::string& title, const std::string& name, at::ScalarType type,
                             std::int64_t images = kBatch, const VitShape& shape = {}) {
    struct Step {
        std::shared_ptr<Method> method;
        UpdateInput input;
    };
    // Made by the first call: a list of benchmarks is asked for its names too.
    const auto step = std::make_shared<Step>();
    const auto body = [=](std::int64_t count) {
        prepareCompute("cpu", "float32", 0);
        if (!step->method) {
            step->method = benchMethod(name, type, shape);
            NoiseTest source(images, shape.image_size);
            const std::vector<std::int64_t> units(source.labels().begin(), source.labels().end());
            std::vector<std::int64_t> all(units.size());
            std::iota(all.begin(), all.end(), std::int64_t{0});
            step->input = {source.images(all).images, at::tensor(units, at::kLong),
                           seenMask(kClasses, kClasses, at::kCPU)};
        }
        for (std::int64_t i = 0; i < count; ++i) step->method->update(step->input);
    };
    return {"training step, " + title, body, images};
}

void evaluateOnce(std::int64_t count) {
    prepareCompute("cpu", "float32", 0);
    static const auto method = benchMethod("dualprompt", at::kFloat);
    static NoiseTest source(kTestImages);
    static Evaluator evaluator(*method, source, kClasses, true, 128, at::kCPU);
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
        trainingStep("DualPrompt, ViT-B/16 on 4 images of 224, float32", "dualprompt", at::kFloat, 4, kBase16),
        {"evaluation, DualPrompt, 512 images, float32", evaluateOnce, kTestImages}};
    for (EngineBenchmark& benchmark : isaBenchmarks()) all.push_back(std::move(benchmark));
    for (EngineBenchmark& benchmark : dataBenchmarks()) all.push_back(std::move(benchmark));
    return all;
}

}  // namespace palimpsest
