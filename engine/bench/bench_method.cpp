// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/bench_method.h"

#include <numeric>

#include "engine/method_options/prompt_options.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

UpdateInput noiseBatch(std::int64_t images, std::int64_t side) {
    NoiseTest source(images, side);
    const std::vector<std::int64_t> units(source.labels().begin(), source.labels().end());
    std::vector<std::int64_t> all(units.size());
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return {source.images(all).images, at::tensor(units, at::kLong), seenMask(kBenchClasses, kBenchClasses, at::kCPU)};
}

std::shared_ptr<Method> benchMethod(const std::string& name, at::ScalarType type, const VitShape& shape) {
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(shape);
    setup.vit->initialise(Random(1));
    setup.vit->setComputeType(type);
    setup.classes = kBenchClasses;
    setup.method.name = name;
    setup.method.of<DualPromptOptions>().selection = "full-pool";
    setup.method.of<PromptPoolOptions>().size = 10;
    setup.method.of<PromptOptions>().g_length = 10;
    setup.method.of<PromptOptions>().e_length = 20;
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    return makeMethod(setup);
}

}  // namespace palimpsest
