// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/trajectory_checks.h"

#include <cmath>

#include "engine/support/error.h"
#include "engine/verify/golden_case.h"

namespace palimpsest {
namespace {

constexpr double kLosses = 1e-5, kParameters = 1e-4, kNoisyLosses = 2e-2;

Tensor kept(const Method& method, const std::string& name) {
    for (const auto& [known, tensor] : method.keptTensors())
        if (known == name) return tensor;
    throw inputError("The method keeps no " + name + ".");
}

}  // namespace

TrajectoryChecks::TrajectoryChecks(const TensorFile& golden, CaseCheck& check, bool noisy)
    : golden_(golden), check_(check), sensitivity_(metadataJson(golden, "sensitivity")), noisy_(noisy) {}

double TrajectoryChecks::lossBound() const {
    return tolerance(sensitivity_.value("loss_max_abs_fp32_vs_fp64", nlohmann::json()), kLosses);
}

void TrajectoryChecks::part(const UpdateResult& result, std::int64_t number, const std::string& name, double expected,
                            double bound) {
    for (const auto& [known, value] : result.parts)
        if (known == name)
            return check_.near(name + " part of update " + std::to_string(number + 1), value, expected,
                               bound + kLosses * std::abs(expected));
    check_.fail("the loss has no part " + name);
}

void TrajectoryChecks::update(std::int64_t number, const UpdateResult& result) {
    const std::string which = "update " + std::to_string(number + 1);
    const double bound = lossBound();
    const double expected = golden_.at("losses")[number].item<double>();
    if (noisy_) return check_.near("loss of " + which, result.loss, expected, kNoisyLosses);
    check_.near("loss of " + which, result.loss, expected, bound + kLosses * std::abs(expected));
    if (const Tensor* rates = golden_.find("lr_before_update"))
        check_.near("learning rate of " + which, result.learning_rate.value_or(0), (*rates)[number].item<double>(),
                    1e-12);
    if (const Tensor* both = golden_.find("ce_losses")) {
        part(result, number, "first", (*both)[number][0].item<double>(), bound);
        part(result, number, "second", (*both)[number][1].item<double>(), bound);
        part(result, number, "penalty", golden_.at("reg_losses")[number].item<double>(), bound);
    }
    if (const Tensor* accuracy = golden_.find("train_acc"))
        check_.near("accuracy of " + which, result.accuracy, (*accuracy)[number].item<double>(), 1e-6);
    if (const Tensor* selected = golden_.find("selected")) {
        Tensor expectedRow = (*selected)[number];
        expectedRow = expectedRow.index({expectedRow >= 0});  // -1 pads a batch without replay
        sameIntegers(check_, "prompt selected in " + which, result.selected, expectedRow);
    }
}

void TrajectoryChecks::memoryUpdate(std::int64_t session, std::int64_t update, const UpdateResult& result) {
    const Tensor& losses = golden_.at("memory_train_losses");
    if (update >= losses.size(1)) return;
    const std::string which = "update " + std::to_string(update + 1) + " on the memory";
    const double bound = lossBound();
    check_.near("loss of " + which, result.loss, losses[session][update].item<double>(), bound, kLosses);
    check_.near("learning rate of " + which, result.learning_rate.value_or(0),
                golden_.at("memory_train_lr")[session][update].item<double>(), 1e-12);
}

void TrajectoryChecks::sessionEnd(std::int64_t session, const Method& method) {
    const double bound = tolerance(sensitivity_.value("importance_max_rel_to_tensor_max", nlohmann::json()), 1e-5);
    const std::string start = "importance_after_session" + std::to_string(session) + ".";
    for (const auto& [name, expected] : golden_.tensors)
        if (name.rfind(start, 0) == 0)
            nearTensor(check_, name, kept(method, "importance." + name.substr(start.size())), expected,
                       bound * expected.abs().max().item<double>());
}

void TrajectoryChecks::end(Method& method, const Tensor& images) {
    if (noisy_) return;
    compareFinalParameters(check_, golden_, method.trainable(), kParameters);
    buffers(method);
    if (golden_.find("eval_idx")) logits(method, images);
    if (const Tensor* losses = golden_.find("samplewise_loss_last"))
        nearTensor(check_, "loss of a remembered image", kept(method, "memory_loss"), *losses, 1e-4, 1e-4);
}

void TrajectoryChecks::buffers(const Method& method) {
    for (const auto& [name, tensor] : method.keptTensors())
        if (const Tensor* expected = golden_.find("final_" + name))
            nearTensor(check_, "final " + name, tensor, *expected, 0);
}

void TrajectoryChecks::logits(Method& method, const Tensor& images) {
    NoGradGuard guard;
    const Tensor shown = images.index_select(0, golden_.at("eval_idx"));
    const Tensor frozen = method.usesFrozenFeatures() ? method.frozenFeatures(shown) : Tensor();
    const Tensor logits = method.logits(shown, frozen);
    const double bound =
        tolerance(sensitivity_.value("eval_logits_max_abs_fp32_vs_fp64", nlohmann::json()), kParameters);
    nearTensor(check_, "final logits", logits, golden_.at("eval_logits"), bound);
    if (const Tensor* selected = golden_.find("eval_selected"))
        sameIntegers(check_, "prompt selected at the end", method.lastSelection(), *selected);
}

}  // namespace palimpsest
