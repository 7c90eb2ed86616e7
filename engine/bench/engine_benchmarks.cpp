// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/api.h"
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
    explicit NoiseTest(std::int64_t count)
        : images_(at::zeros({count, 3, 32, 32})), labels_(static_cast<std::size_t>(count)) {
        Random random(1);
        fillUniform(images_, random, -1, 1);
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % kClasses);
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    Tensor images(std::span<const std::int64_t> samples) override {
        return images_.index_select(0, at::tensor(std::vector<std::int64_t>(samples.begin(), samples.end()), at::kLong));
    }

private:
    Tensor images_;
    std::vector<std::int32_t> labels_;
};

std::unique_ptr<Method> benchMethod(const std::string& name, at::ScalarType type) {
    prepareCompute("cpu", "float32", 0);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{});
    setup.vit->initialise(Random(1));
    setup.vit->setComputeType(type);
    setup.classes = kClasses;
    setup.method = {name, "full-pool", 10, 10, 20};
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    return makeMethod(setup);
}

std::function<void(std::int64_t)> trainingStep(const std::string& name, at::ScalarType type) {
    return [=](std::int64_t count) {
        static std::map<std::pair<std::string, at::ScalarType>, std::shared_ptr<Method>> kept;
        auto& method = kept[{name, type}];
        if (!method) method = benchMethod(name, type);
        NoiseTest source(kBatch);
        std::vector<std::int64_t> all(kBatch);
        for (std::int64_t i = 0; i < kBatch; ++i) all[static_cast<std::size_t>(i)] = i;
        std::vector<std::int64_t> units;
        for (const std::int32_t label : source.labels()) units.push_back(label);
        const UpdateInput input{source.images(all), at::tensor(units, at::kLong),
                                seenMask(kClasses, kClasses, at::kCPU)};
        for (std::int64_t i = 0; i < count; ++i) method->update(input);
    };
}

void evaluateOnce(std::int64_t count) {
    static const std::shared_ptr<Method> method = benchMethod("dualprompt", at::kFloat);
    static NoiseTest source(kTestImages);
    static Evaluator evaluator(*method, source, kClasses, true, 128, at::kCPU);
    ClassRegistry registry;
    registry.expose({0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    for (std::int64_t i = 0; i < count; ++i) evaluator.evaluate(registry, [] { return false; });
}

}  // namespace

std::vector<EngineBenchmark> engineBenchmarks() {
    return {{"training step, DualPrompt, float32", trainingStep("dualprompt", at::kFloat)},
            {"training step, DualPrompt, bfloat16", trainingStep("dualprompt", at::kBFloat16)},
            {"training step, linear probe, float32", trainingStep("linear-probe", at::kFloat)},
            {"training step, fine-tuning, float32", trainingStep("finetune", at::kFloat)},
            {"evaluation, DualPrompt, 512 images, float32", evaluateOnce}};
}

}  // namespace palimpsest
