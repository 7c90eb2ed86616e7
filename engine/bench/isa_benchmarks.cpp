// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/isa_benchmarks.h"

#include "engine/adaptation/prompt_adapter.h"
#include "engine/network/weights.h"
#include "engine/optim/output_units.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kAdaptationBatch = 128, kUnits = 1000;

/// A batch of noise: speed does not depend on the images.
PromptAdapter::Batch noise(std::int64_t side, std::uint64_t seed) {
    Tensor images = at::zeros({kAdaptationBatch, 3, side, side});
    Random random(seed);
    fillUniform(images, random, -1, 1);
    std::vector<std::int64_t> units(kAdaptationBatch);
    for (std::int64_t& unit : units) unit = static_cast<std::int64_t>(random.below(kUnits));
    return {images, at::tensor(units, at::kLong), seenMask(kUnits, kUnits, at::kCPU)};
}

EngineBenchmark stepOf(const std::string& name, AdapterSettings::Kind kind) {
    struct Learner {
        explicit Learner(AdapterSettings::Kind kind)
            : vit(loadBackbone({"palimpsest-vit", "embedded"}, 1, prepareCompute("cpu", "float32", 0))),
              adapter(vit, PromptLayout{}, {.kind = kind}, kUnits, 1),
              batch(noise(vit.shape().image_size, 1)) {
            if (kind == AdapterSettings::Kind::Fam) other = noise(vit.shape().image_size, 2);
        }
        Vit vit;
        PromptAdapter adapter;
        PromptAdapter::Batch batch;
        std::optional<PromptAdapter::Batch> other;
    };
    // Set up by the first call, since the list is also made just for its names.
    const auto learner = std::make_shared<std::unique_ptr<Learner>>();
    return {name,
            [=](std::int64_t count) {
                prepareCompute("cpu", "float32", 0);
                if (!*learner) *learner = std::make_unique<Learner>(kind);
                for (std::int64_t i = 0; i < count; ++i) (*learner)->adapter.step((*learner)->batch, (*learner)->other);
            },
            kAdaptationBatch};
}

}  // namespace

std::vector<EngineBenchmark> isaBenchmarks() {
    return {stepOf("isa/step_naive", AdapterSettings::Kind::Naive), stepOf("isa/step_sam", AdapterSettings::Kind::Sam),
            stepOf("isa/step_fam", AdapterSettings::Kind::Fam)};
}

}  // namespace palimpsest
