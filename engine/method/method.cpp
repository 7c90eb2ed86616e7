// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/method.h"

#include "engine/checkpoint/state_archive.h"
#include "engine/config/method_declaration.h"
#include "engine/method/feature_cache.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/support/error.h"

namespace palimpsest {

std::vector<std::int64_t> indexVector(const Tensor& index) {
    if (!index.defined()) return {};
    const Tensor host = index.to(at::kCPU).contiguous();
    return {host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + host.numel()};
}

void Method::makeOptimizerFor(const MethodSetup& setup) {
    const OptimizerSettings settings =
        setup.exact_optimizer ? *setup.exact_optimizer : officialOptimizer(setup.optimizer, setup.learning_rate);
    optimizer_ = makeOptimizer(settings, trainable());
    const double rate = setup.method.of<BackboneRateOptions>().learning_rate;
    if (const auto backbone = trainedBackbone(); rate > 0 && !backbone.empty()) optimizer_->setOwnRate(backbone, rate);
}

Tensor Method::featuresOnce(const Tensor& images, std::span<const std::int64_t> views) {
    const bool keeps = feature_cache_ && !views.empty() && repeatsFeatures();
    Tensor features = keeps ? feature_cache_->features(
                                  images, views, [this](const Tensor& lacking) { return frozenFeatures(lacking); })
                            : frozenFeatures(images);
    computed_.emplace_back(images, features);
    return features;
}

Tensor Method::computedFeatures(const Tensor& images) const {
    for (const auto& [shown, features] : computed_)
        if (shown.is_same(images)) return features;
    return {};
}

void Method::keep(StateArchive& archive) {
    archive.within("learned", [&] {
        for (const auto& [name, tensor] : trainable()) archive.shared(name, tensor);
    });
    if (optimizer_) archive.within("optimizer", [&] { optimizer_->keep(archive); });
}

UpdateResult Method::update(const UpdateInput& input) {
    const ForwardResult result = forward(input);
    optimizer_->zeroGradients();
    result.loss.backward();
    optimizer_->step();
    return {result.loss.item<double>(), result.accuracy, indexVector(result.selected)};
}

// Each method's file in engine/method_options defines its declaration, and its file in this folder its maker.
#define METHOD(Name)                   \
    MethodDeclaration declare##Name(); \
    std::unique_ptr<Method> make##Name(const MethodSetup&);
#include "engine/method_options/all_methods.inc"
#undef METHOD

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
        if (entry.choice.value == setup.method.name) return entry.make(setup);
        known += (known.empty() ? "" : ", ") + entry.choice.value;
    }
    throw inputError("There is no method \"" + setup.method.name + "\".", "Choose one of: " + known + ".");
}

}  // namespace palimpsest
