// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/method.h"

#include <algorithm>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/config/method_declaration.h"
#include "engine/method/feature_cache.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/optim/perturbation.h"
#include "engine/support/error.h"

namespace palimpsest {

void Method::makeOptimizerFor(const MethodSetup& setup) {
    OptimizerSettings settings =
        setup.exact_optimizer ? *setup.exact_optimizer : officialOptimizer(setup.optimizer, setup.learning_rate);
    settings.kernels = setup.adam;
    optimizer_ = makeOptimizer(settings, trainable());
    const double rate = setup.method.of<BackboneRateOptions>().learning_rate;
    if (const auto backbone = trainedBackbone(); rate > 0 && !backbone.empty()) optimizer_->setOwnRate(backbone, rate);
}

void Method::averageHead(double decay) {
    std::vector<NamedTensor> head;
    for (const NamedTensor& entry : trainable())
        for (const char* name : {"fc.weight", "fc.bias"})
            if (entry.name == name || entry.name.ends_with(std::string(".") + name)) head.push_back(entry);
    optimizer_->average(std::move(head), decay);
}

Tensor Method::featuresOnce(const Tensor& images, std::span<const std::int64_t> views) {
    const bool keeps = feature_cache_ && !views.empty() && repeatsFeatures();
    Tensor features = keeps ? feature_cache_->features(
                                  images, views, [this](const Tensor& lacking) { return frozenFeatures(lacking); })
                            : frozenFeatures(images);
    if (kept_.first.is_same(images)) kept_.second = features;
    return features;
}

Tensor Method::referenceFeatures(const Tensor& images, std::int64_t count, std::span<const std::int64_t> views) {
    const auto [shown, features] = std::exchange(kept_, {});
    if (!frozenAreFinal()) return finalFeatures(images.narrow(0, 0, count));
    if (shown.is_same(images) && features.defined()) return features.narrow(0, 0, count);
    return featuresOnce(images.narrow(0, 0, count), views.first(views.empty() ? 0 : static_cast<std::size_t>(count)));
}

void Method::keep(StateArchive& archive) {
    archive.within("learned", [&] {
        for (const auto& [name, tensor] : trainable()) archive.shared(name, tensor);
    });
    if (optimizer_) archive.within("optimizer", [&] { optimizer_->keep(archive); });
}

/// SAM (Foret et al., ICLR 2021; MISA, methods/dualprompt_sam.py): the step from where the parameters are follows the
/// gradient at the place to which their own gradient leads them. Loss and accuracy are those before it.
UpdateResult Method::sharpnessAwareUpdate(const UpdateInput& input) {
    const ForwardResult first = forward(input);
    optimizer_->zeroGradients();
    first.loss.backward();
    {
        const Perturbation moved(trainable(), input.sam_reach);
        optimizer_->zeroGradients();
        UpdateInput second = input;
        second.again = true;
        forward(second).loss.backward();
    }
    optimizer_->step();
    return resultOf(first);
}

UpdateResult Method::update(const UpdateInput& input) {
    if (input.sam_reach > 0) return sharpnessAwareUpdate(input);
    const auto learn = [this](const UpdateInput& given) {
        ForwardResult result = forward(given);
        optimizer_->zeroGradients();
        result.loss.backward();
        optimizer_->step();
        return result;
    };
    const auto state = recorded_ && optimizer_->isRecordable() && !input.mix && input.past.empty()
                           ? launchState()
                           : std::optional<std::vector<std::int64_t>>();
    if (!state) return resultOf(learn(input));
    std::vector<double> numbers(state->begin(), state->end());
    // A recorded step keeps the learning rate that it was recorded with.
    numbers.push_back(optimizer_->learningRate());
    return resultOf(recorded_->run(input, numbers, learn));
}

// Each method's file in engine/method_options defines its declaration, and its file in this folder its maker.
#define METHOD(Name)                   \
    MethodDeclaration declare##Name(); \
    std::unique_ptr<Method> make##Name(const MethodSetup&);
#include "engine/method_options/all_methods.inc"
#undef METHOD

namespace {

bool averagesHead(const std::string& method) {
    const auto found = std::ranges::find_if(
        methodDeclarations(), [&](const MethodDeclaration& declaration) { return declaration.choice.value == method; });
    if (found == methodDeclarations().end()) return false;
    const std::vector<const SharedOptions*> shared = sharedOptionsOf(*found);
    return std::ranges::find(shared, &headAverageOptions()) != shared.end();
}

}  // namespace

const std::vector<MethodEntry>& methodList() {
#define METHOD(Name) {declare##Name().choice, make##Name},
    static const std::vector<MethodEntry> list = {
#include "engine/method_options/all_methods.inc"
    };
#undef METHOD
    return list;
}

std::unique_ptr<Method> makeMethod(const MethodSetup& setup) {
    std::string known;
    for (const auto& entry : methodList()) {
        if (entry.choice.value == setup.method.name) {
            auto method = entry.make(setup);
            const double decay = setup.method.of<HeadAverageOptions>().decay;
            if (decay > 0 && averagesHead(entry.choice.value)) method->averageHead(decay);
            return method;
        }
        known += (known.empty() ? "" : ", ") + entry.choice.value;
    }
    throw inputError("There is no method \"" + setup.method.name + "\".", "Choose one of: " + known + ".");
}

}  // namespace palimpsest
