// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/prompt_adapter.h"

#include <cmath>

#include "engine/optim/perturbation.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

using AdapterKind = AdapterSettings::Kind;
using Perturbs = AdapterSettings::Perturbs;

double finite(double value, const char* what) {
    if (!std::isfinite(value))
        throw runError(std::string("The ") + what + " of the initial session adaptation is no longer a number.",
                       "Lower the learning rate (initial_session.learning_rate) and start again.");
    return value;
}

[[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& allowed) {
    throw inputError("initial_session." + key + " is " + value + ", but must be " + allowed + ".");
}

bool firstOfTwo(const std::string& key, const std::string& value, const std::string& first, const std::string& second) {
    if (value != first && value != second) refuse(key, "\"" + value + "\"", first + " or " + second);
    return value == first;
}

}  // namespace

AdapterSettings adapterSettings(const InitialSessionOptions& options) {
    AdapterSettings settings;
    settings.kind = options.prompts == "naive" ? AdapterKind::Naive
                    : options.prompts == "sam" ? AdapterKind::Sam
                                               : AdapterKind::Fam;
    if (!std::isfinite(options.rho) || options.rho < 0) refuse("rho", toText(options.rho), "0 or a positive number");
    const double automatic = settings.kind == AdapterKind::Sam ? 0.05 : 0.1;
    settings.rho = options.rho > 0 ? options.rho : automatic;
    settings.sign = firstOfTwo("sign", options.sign, "plus", "minus") ? 1 : -1;
    settings.perturbs = firstOfTwo("perturb", options.perturb, "all", "prompts") ? Perturbs::All : Perturbs::Prompts;
    const std::string& augmented = options.augment_prompts;
    if (augmented != "both" && augmented != "expert" && augmented != "general" && augmented != "none")
        refuse("augment_prompts", "\"" + augmented + "\"", "both, expert, general or none");
    settings.augment_general = augmented == "both" || augmented == "general";
    settings.augment_expert = augmented == "both" || augmented == "expert";
    if (!std::isfinite(options.learning_rate) || options.learning_rate <= 0)
        refuse("learning_rate", toText(options.learning_rate), "a positive number");
    settings.learning_rate = options.learning_rate;
    return settings;
}

PromptAdapter::PromptAdapter(const Vit& vit, const PromptLayout& layout, const AdapterSettings& settings,
                             std::int64_t units, std::uint64_t seed)
    : vit_(vit), settings_(settings), prompts_(vit, layout, seed), head_(units, vit.shape().width, seed, vit.device()) {
    const auto augmenter = [&](std::uint64_t which) {
        return std::make_unique<PromptAugmenter>(vit.shape().width, Random(seed, purpose::kAugmenter, which),
                                                 vit.device());
    };
    if (settings.augment_general && prompts_.hasGeneral()) general_augmenter_ = augmenter(1);
    if (settings.augment_expert && prompts_.hasPool()) expert_augmenter_ = augmenter(2);
    prompts_.augment(general_augmenter_.get(), expert_augmenter_.get());
    optimizer_ = makeOptimizer({.learning_rate = settings.learning_rate}, trainable());
}

Tensor PromptAdapter::query(const Tensor& images) const {
    NoGradGuard guard;
    return prompts_.hasPool() ? vit_.features(images) : Tensor();
}

ForwardResult PromptAdapter::forward(const Batch& batch, const Tensor& query) const {
    PromptPool::Selection selection;
    if (prompts_.hasPool()) selection = prompts_.pool().select(query);
    const UpdateInput input{batch.images, batch.units, batch.mask};
    ForwardResult result = plainForward(head_(prompts_.features(batch.images, selection.index)), input);
    if (!prompts_.hasPool()) return result;
    result.loss = result.loss + selection.distance.mean();
    result.query = query;
    result.selected = selection.index;
    result.distance = selection.distance;
    return result;
}

PromptAdapter::Step PromptAdapter::step(const Batch& batch, const std::optional<Batch>& other) {
    const bool fam = settings_.kind == AdapterKind::Fam;
    if (fam && !other) throw runError("Forgetting-aware minimisation got no images of other classes for a step.");
    Step step;
    // The backbone is frozen, so both passes of SAM have the same query.
    const Tensor own = query(batch.images);
    optimizer_->zeroGradients();
    std::optional<Perturbation> perturbation;
    if (settings_.kind != AdapterKind::Naive) {
        const ForwardResult first = fam ? forward(*other, query(other->images)) : forward(batch, own);
        step.first_loss = finite(first.loss.item<double>(), "first loss");
        step.first_selected = first.selected;
        step.accuracy = first.accuracy.item<double>();
        first.loss.backward();
        perturbation.emplace(perturbed(), settings_.sign * settings_.rho);
        step.gradient_norm = finite(perturbation->norm(), "first gradient");
        optimizer_->zeroGradients();
    }
    const ForwardResult second = forward(batch, own);
    step.loss = finite(second.loss.item<double>(), "loss");
    if (settings_.kind != AdapterKind::Sam) step.accuracy = second.accuracy.item<double>();
    step.selected = second.selected;
    second.loss.backward();
    perturbation.reset();
    optimizer_->step();
    optimizer_->zeroGradients();
    return step;
}

std::vector<NamedTensor> PromptAdapter::learning(const std::string& headPrefix) const {
    std::vector<NamedTensor> all = head_.parameters(headPrefix);
    const auto append = [&](const std::vector<NamedTensor>& more) { all.insert(all.end(), more.begin(), more.end()); };
    append(prompts_.parameters());
    if (general_augmenter_) append(general_augmenter_->parameters("proj_g_pt."));
    if (expert_augmenter_) append(expert_augmenter_->parameters("proj_e_pt."));
    return all;
}

std::vector<NamedTensor> PromptAdapter::trainable() const {
    return learning("backbone.");
}

std::vector<NamedTensor> PromptAdapter::perturbed() const {
    std::vector<NamedTensor> moved = trainable();
    if (settings_.perturbs == Perturbs::Prompts)
        std::erase_if(moved, [](const NamedTensor& entry) {
            return entry.name != "g_prompt.prompts" && entry.name != "e_prompt.prompts";
        });
    return moved;
}

std::vector<NamedTensor> PromptAdapter::learnedPrompts() const {
    std::vector<NamedTensor> learned;
    if (prompts_.hasGeneral()) learned.push_back({"g_prompt.prompts", prompts_.actingGeneral()});
    if (prompts_.hasPool()) learned.push_back({"e_prompt.prompts", prompts_.actingExperts()});
    return learned;
}

std::vector<NamedTensor> PromptAdapter::state() const {
    std::vector<NamedTensor> copies;
    for (const auto& [name, tensor] : learning({})) copies.push_back({name, tensor.detach().clone()});
    for (NamedTensor& entry : optimizer_->state()) copies.push_back(std::move(entry));
    return copies;
}

void PromptAdapter::restore(const TensorsByName& state) {
    NoGradGuard guard;
    const std::vector<NamedTensor> targets = learning({});
    for (const auto& [name, tensor] : targets) savedTensor(state, name, tensor.sizes());
    optimizer_->restore(state);
    for (const auto& [name, tensor] : targets) tensor.copy_(savedTensor(state, name, tensor.sizes()));
}

}  // namespace palimpsest
