// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/online_loop.h"
#include "engine/verify/golden_case.h"
#include "engine/verify/golden_compare.h"
#include "engine/verify/golden_optimizer.h"
#include "engine/verify/verify_adaptation.h"
#include "engine/verify/verify_learning.h"

namespace palimpsest {
namespace {

constexpr double kLosses = 1e-5, kParameters = 1e-4;

std::vector<std::int64_t> row(const Tensor& table, std::int64_t i) { return indexVector(table[i]); }

class Trajectory {
public:
    Trajectory(const std::filesystem::path& root, const TensorFile& golden, const std::string& name,
               const std::string& method)
        : golden_(golden), data_(readSafetensors(root / "shared" / "data.safetensors")), check_("trajectories/" + name) {
        const auto config = metadataJson(golden, "config");
        const auto flags = config.value("flags", std::vector<std::string>{});
        sensitivity_ = metadataJson(golden, "sensitivity");
        GoldenSetup setup;
        setup.root = root;
        setup.method = method;
        setup.init_files = metadataJson(golden, "init_files").get<std::vector<std::string>>();
        const bool wholePool = std::find(flags.begin(), flags.end(), "--load_pt") != flags.end() &&
                               config.value("memory_size", 0) > 0;
        setup.as_published = !wholePool;
        setup.learnable_mask = std::find(flags.begin(), flags.end(), "--learnable_mask") != flags.end();
        setup.optimizer = parseOptimizer(config.at("optimizer").get<std::string>());
        if (const auto schedule = config.value("scheduler", std::string("constant")); schedule != "constant")
            throw inputError("The learning rate's schedule \"" + schedule + "\" is not understood.",
                             "Use golden files of a version that this program understands.");
        updates_ = std::stoll(golden.metadata.at("updates_per_step"));
        method_ = makeGoldenMethod(setup, classes_);
        policy_ = std::make_unique<MaskPolicy>(maskOfCase(name, method, flags), classes_);
        labels_ = golden.find("labels_used") ? golden.at("labels_used") : data_.at("labels");
    }

    VerifiedCase verify() {
        const Tensor steps = golden_.at("stream_idx"), sessions = golden_.at("session_of_step");
        for (std::int64_t step = 0; step < steps.size(0); ++step) {
            if (step > 0 && sessions[step].item<std::int64_t>() != sessions[step - 1].item<std::int64_t>()) {
                method_->endSession();
                policy_->endSession();
            }
            learn(step, row(steps, step));
        }
        std::vector<std::int64_t> exposed(registry_.exposed().begin(), registry_.exposed().end());
        sameIntegers(check_, "exposed class", exposed, golden_.at("exposed_classes"));
        compareFinalParameters(check_, golden_, method_->trainable(), kParameters);
        compareFinalLogits();
        return check_.result();
    }

private:
    void learn(std::int64_t step, const std::vector<std::int64_t>& stream) {
        const auto labels = labelsAt(labels_, stream);
        registry_.expose(labels);
        StepUnits units{registry_.units(labels), {}};
        policy_->beginStep(units.stream);
        for (std::int64_t u = 0; u < updates_; ++u, ++update_) {
            std::vector<std::int64_t> rows = stream, replay;
            if (const Tensor* memory = golden_.find("memory_idx"))
                for (const std::int64_t r : indexVector((*memory)[step][u]))
                    if (r >= 0) replay.push_back(r);
            units.replay = registry_.units(labelsAt(labels_, replay));
            rows.insert(rows.end(), replay.begin(), replay.end());
            const Tensor images = data_.at("images").index_select(0, at::tensor(rows, at::kLong));
            const auto [result, visible] = learnUpdate(*method_, *policy_, registry_.count(), units, images);
            compareUpdate(result);
        }
    }

    void compareUpdate(const UpdateResult& result) {
        const std::string which = "update " + std::to_string(update_ + 1);
        const double bound = tolerance(sensitivity_.value("loss_max_abs_fp32_vs_fp64", nlohmann::json()), kLosses);
        const double expected = golden_.at("losses")[update_].item<double>();
        check_.near("loss of " + which, result.loss, expected, bound + kLosses * std::abs(expected));
        if (const Tensor* accuracy = golden_.find("train_acc"))
            check_.near("accuracy of " + which, result.accuracy, (*accuracy)[update_].item<double>(), 1e-6);
        if (const Tensor* selected = golden_.find("selected")) {
            Tensor expectedRow = (*selected)[update_];
            expectedRow = expectedRow.index({expectedRow >= 0});  // -1 pads a batch without replay
            sameIntegers(check_, "prompt selected in " + which, result.selected, expectedRow);
        }
    }

    void compareFinalLogits() {
        NoGradGuard guard;
        const Tensor images = data_.at("images").index_select(0, golden_.at("eval_idx"));
        const Tensor frozen = method_->usesFrozenFeatures() ? method_->frozenFeatures(images) : Tensor();
        const Tensor logits = method_->logits(images, frozen);
        const double bound =
            tolerance(sensitivity_.value("eval_logits_max_abs_fp32_vs_fp64", nlohmann::json()), kParameters);
        nearTensor(check_, "final logits", logits, golden_.at("eval_logits"), bound);
        if (const Tensor* selected = golden_.find("eval_selected"))
            sameIntegers(check_, "prompt selected at the end", method_->lastSelection(), *selected);
    }

    const TensorFile& golden_;
    TensorFile data_;
    CaseCheck check_;
    nlohmann::json sensitivity_;
    std::int64_t classes_ = 0, updates_ = 1, update_ = 0;
    std::unique_ptr<Method> method_;
    std::unique_ptr<MaskPolicy> policy_;
    ClassRegistry registry_;
    Tensor labels_;
};

}  // namespace

VerifiedCase verifyTrajectory(const std::filesystem::path& root, const std::filesystem::path& file) {
    const std::string name = file.stem().string();
    if (isAdaptationCase(name)) return verifyAdaptation(root, file);
    const auto method = methodOfCase(name);
    if (!method) return {"trajectories/" + name, CaseResult::Todo, 0, 0, "its method is still to come"};
    const TensorFile golden = readSafetensors(file);
    return Trajectory(root, golden, name, *method).verify();
}

}  // namespace palimpsest
