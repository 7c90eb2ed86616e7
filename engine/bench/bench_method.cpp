// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/bench_method.h"

#include "engine/method_options/prompt_options.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

std::shared_ptr<Vit> benchVit(const VitShape& shape, at::ScalarType type, at::Device device) {
    auto vit = std::make_shared<Vit>(shape, device);
    vit->initialise(Random(1));
    vit->setComputeType(type);
    return vit;
}

std::shared_ptr<Method> benchMethod(const std::string& name, const std::shared_ptr<Vit>& vit, const std::string& adam) {
    MethodSetup setup;
    setup.vit = vit;
    setup.classes = kBenchClasses;
    setup.method.name = name;
    setup.method.of<DualPromptOptions>().selection = "full-pool";
    setup.method.of<PromptPoolOptions>().size = 10;
    setup.method.of<PromptOptions>().g_length = 10;
    setup.method.of<PromptOptions>().e_length = 20;
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    setup.adam = adamKernels(adam, vit->device());
    return makeMethod(setup);
}

Tensor noiseImages(std::int64_t count, std::int64_t side, std::uint64_t seed) {
    Tensor images = at::zeros({count, 3, side, side});
    Random random(seed);
    fillUniform(images, random, -1, 1);
    return images;
}

UpdateInput noiseBatch(std::int64_t images, std::int64_t side, at::Device device) {
    const Tensor units = at::arange(images, at::kLong).remainder(kBenchClasses);
    return {noiseImages(images, side).to(device), units.to(device), seenMask(kBenchClasses, kBenchClasses, device)};
}

}  // namespace palimpsest
