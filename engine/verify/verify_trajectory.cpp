// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <optional>

#include "engine/memory/balanced_memory.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "engine/train/online_loop.h"
#include "engine/verify/golden_case.h"
#include "engine/verify/golden_compare.h"
#include "engine/verify/golden_optimizer.h"
#include "engine/verify/golden_place.h"
#include "engine/verify/verify_cases.h"

namespace palimpsest {
namespace {

/// Optimiser of a case; in CLIB's, the part after "adaptive" belongs to the method itself.
OptimizerSettings optimizerOf(const nlohmann::json& config) {
    const auto words = config.at("optimizer").get<std::string>();
    return parseOptimizer(words.substr(0, words.find(" adaptive")));
}

/// The backbone's tensors that a case trains, if it names them.
std::optional<std::vector<std::string>> trainedBackbone(const TensorFile& golden) {
    if (golden.metadata.count("trainable") == 0) return std::nullopt;
    auto names = metadataJson(golden, "trainable").get<std::vector<std::string>>();
    std::erase_if(names, [](const std::string& name) { return name.rfind("head.", 0) == 0; });
    return names;
}

/// The method's setup in a golden trajectory, including the case's own `config`. Throws Error(Input) for an unknown
/// schedule of the learning rate.
GoldenSetup trajectorySetup(const std::filesystem::path& root, const TensorFile& golden, const std::string& method) {
    const auto config = metadataJson(golden, "config");
    const auto flags = config.value("flags", std::vector<std::string>{});
    GoldenSetup setup;
    setup.root = root;
    setup.method = method;
    setup.init_files = metadataJson(golden, "init_files").get<std::vector<std::string>>();
    const bool wholePool =
        std::find(flags.begin(), flags.end(), "--load_pt") != flags.end() && config.value("memory_size", 0) > 0;
    setup.as_published = !wholePool;
    setup.learnable_mask = std::find(flags.begin(), flags.end(), "--learnable_mask") != flags.end();
    setup.optimizer = optimizerOf(config);
    setup.trained = trainedBackbone(golden);
    setup.batch_size = config.value("batch", 0);
    setup.memory_batch = std::max<std::int64_t>(0, config.value("batchsize", 0) - setup.batch_size);
    setup.memory_epochs = config.value("memory_epoch", 0);
    if (method == "clib") setup.memory_size = config.at("memory_size").get<std::int64_t>();
    if (const auto schedule = config.value("scheduler", std::string("constant")); schedule != "constant")
        throw inputError("The learning rate's schedule \"" + schedule + "\" is not understood.",
                         "Use golden files of a version that this program understands.");
    setup.config = config;
    return setup;
}

std::vector<std::int64_t> row(const Tensor& table, std::int64_t i) {
    return indexVector(table[i]);
}

constexpr double kLosses = 1e-5, kParameters = 1e-4, kNoisyLosses = 2e-2;

Tensor kept(const Method& method, const std::string& name) {
    for (const auto& [known, tensor] : method.keptTensors())
        if (known == name) return tensor;
    throw inputError("The method keeps no " + name + ".");
}

/// Compares a method with the official code along a golden trajectory.
class TrajectoryChecks {
public:
    /// `noisy`: rounding affects everything too much but the losses, which are compared roughly. File and check must
    /// outlive this.
    TrajectoryChecks(const TensorFile& golden, CaseCheck& check, bool noisy);

    /// Compares one update, numbered from 0: loss and its parts, learning rate, accuracy, selected prompts.
    void update(std::int64_t number, const UpdateResult& result);
    /// Compares one update on the memory after a session: loss and learning rate. Updates beyond those in the file are
    /// ignored.
    void memoryUpdate(std::int64_t session, std::int64_t update, const UpdateResult& result);
    /// Compares the importances of the weights.
    void sessionEnd(std::int64_t session, const Method& method);
    /// Compares parameters, buffers, the logits of some of `images`, and the losses of remembered samples.
    void end(Method& method, const Tensor& images);

private:
    void part(const UpdateResult& result, std::int64_t number, const std::string& name, double expected, double bound);
    void buffers(const Method& method);
    void logits(Method& method, const Tensor& images);
    double lossBound() const;

    const TensorFile& golden_;
    CaseCheck& check_;
    nlohmann::json sensitivity_;
    bool noisy_;
};

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
    const Tensor shown = images.index_select(0, golden_.at("eval_idx")).to(GoldenPlace::device());
    const Tensor frozen = method.usesFrozenFeatures() ? method.frozenFeatures(shown) : Tensor();
    const Tensor logits = method.logits(shown, frozen);
    const double bound =
        tolerance(sensitivity_.value("eval_logits_max_abs_fp32_vs_fp64", nlohmann::json()), kParameters);
    nearTensor(check_, "final logits", logits, golden_.at("eval_logits"), bound);
    if (const Tensor* selected = golden_.find("eval_selected"))
        sameIntegers(check_, "prompt selected at the end", method.lastSelection(), *selected);
}

class Trajectory {
public:
    Trajectory(const std::filesystem::path& root, const TensorFile& golden, const std::string& name,
               const std::string& method)
        : golden_(golden),
          data_(readSafetensors(root / "shared" / "data.safetensors")),
          check_("trajectories/" + name) {
        const GoldenSetup setup = trajectorySetup(root, golden, method);
        if (method == "rainbow-memory")
            memory_ = std::make_unique<BalancedMemory>(setup.config.at("memory_size").get<std::int64_t>());
        // Gradient of the first distillation is rounding noise, which Adam makes as large as any other.
        const bool noisy = method == "lwf" && setup.optimizer.kind == OptimizerSettings::Kind::Adam;
        checks_.emplace(golden, check_, noisy);
        updates_ = std::stoll(golden.metadata.at("updates_per_step"));
        method_ = makeGoldenMethod(setup, classes_);
        policy_ = std::make_unique<MaskPolicy>(
            maskOfCase(name, method, setup.config.value("flags", std::vector<std::string>{})), classes_);
        labels_ = golden.find("labels_used") ? golden.at("labels_used") : data_.at("labels");
    }

    VerifiedCase verify() {
        const Tensor steps = golden_.at("stream_idx");
        const Tensor* const recorded = golden_.find("session_of_step");
        const Tensor sessions = recorded ? *recorded : at::zeros({steps.size(0)}, at::kLong);
        for (std::int64_t step = 0; step < steps.size(0); ++step) {
            learn(step, row(steps, step));
            const std::int64_t session = sessions[step].item<std::int64_t>();
            if (step + 1 == steps.size(0) || sessions[step + 1].item<std::int64_t>() != session) endSession(session);
        }
        std::vector<std::int64_t> exposed(registry_.exposed().begin(), registry_.exposed().end());
        sameIntegers(check_, "exposed class", exposed, golden_.at("exposed_classes"));
        checks_->end(*method_, data_.at("images"));
        return check_.result();
    }

private:
    using Rows = std::vector<std::int64_t>;

    /// The trainer's work on the memory at the end of a session.
    class Work : public SessionWork {
    public:
        explicit Work(Trajectory& trajectory, std::int64_t session) : trajectory_(trajectory), session_(session) {}
        const Rows& streamed() const override { return trajectory_.streamed_; }
        const Rows& remembered() const override {
            static const Rows nothing;
            return trajectory_.memory_ ? trajectory_.memory_->samples() : nothing;
        }
        std::int64_t unit(std::int64_t sample) const override { return trajectory_.unitsOf({sample}).front(); }
        UpdateInput input(const Rows& samples, std::int64_t) override {
            const PastBatch batch = trajectory_.pastBatch(samples);
            const auto seen = trajectory_.registry_.count();
            UpdateInput made{
                batch.images, batch.units,
                additiveMask(trajectory_.policy_->visible(indexVector(batch.units), seen), batch.images.device())};
            made.samples = samples;
            made.seen = seen;
            return made;
        }
        void updated(const UpdateResult& given) override {
            UpdateResult result = given;
            settle(result);
            trajectory_.checks_->memoryUpdate(session_, updates_++, result);
        }
        void remember(const Rows&) override {}
        bool mayContinue(const std::string&, std::int64_t, std::int64_t) override { return true; }
        std::int64_t updates() const { return updates_; }

    private:
        Trajectory& trajectory_;
        std::int64_t session_, updates_ = 0;
    };

    Rows unitsOf(const Rows& rows) const { return registry_.units(labelsAt(labels_, rows)); }
    Tensor imagesAt(const Rows& rows) const {
        return data_.at("images").index_select(0, at::tensor(rows, at::kLong)).to(GoldenPlace::device());
    }
    PastBatch pastBatch(const Rows& rows) const {
        return {imagesAt(rows), at::tensor(unitsOf(rows), at::kLong).to(GoldenPlace::device())};
    }

    /// Rows of a golden memory batch; empty as long as nothing is remembered.
    Rows drawn(const char* name, std::int64_t step, std::int64_t update) const {
        Rows rows;
        if (const Tensor* table = golden_.find(name)) rows = indexVector((*table)[step][update]);
        std::erase_if(rows, [](std::int64_t r) { return r < 0; });
        return rows;
    }

    void endSession(std::int64_t session) {
        Work work(*this, session);
        check_.require(method_->afterSession(work), "the work after a session was given up");
        if (const Tensor* losses = golden_.find("memory_train_losses"))
            check_.same("updates on the memory", work.updates(), losses->size(1));
        method_->endSession();
        policy_->endSession();
        streamed_.clear();
        checks_->sessionEnd(session, *method_);
    }

    /// Replays the recorded draws, and compares the memory's content.
    void remember(std::int64_t step, const Rows& stream) {
        const Rows units = unitsOf(stream);
        if (memory_) {
            memory_->offer(stream, units, [&](std::int64_t n) -> std::int64_t {
                const Tensor& draws = golden_.at("randint_draws");
                if (draw_ >= draws.size(0)) throw inputError("The memory draws more numbers than the official code.");
                const Rows draw = row(draws, draw_++);
                check_.same("step of a draw", step, draw.at(0));
                check_.same("upper end of a draw", n, draw.at(2));
                return draw.at(3);
            });
            compareMemory("memory_after_step", step, memory_->samples());
        }
    }

    void compareMemory(const char* name, std::int64_t step, const Rows& samples) {
        Rows expected = row(golden_.at(name), step);
        std::erase_if(expected, [](std::int64_t r) { return r < 0; });
        check_.require(samples == expected, "the memory differs in step " + std::to_string(step + 1));
    }

    void learn(std::int64_t step, const Rows& stream) {
        registry_.expose(labelsAt(labels_, stream));
        const Rows units = unitsOf(stream);
        policy_->beginStep(units);
        streamed_.insert(streamed_.end(), stream.begin(), stream.end());
        method_->beginBatch({stream, units, [&](const Rows& rows) { return ShownImages{imagesAt(rows), rows}; }});
        if (golden_.find("memory_after_update"))
            compareMemory("memory_after_update", step, method_->ownMemory()->samples());
        for (std::int64_t u = 0; u < updates_; ++u, ++update_) learnOnce(step, u, stream, units);
        method_->endBatch();
        remember(step, stream);
    }

    void learnOnce(std::int64_t step, std::int64_t u, const Rows& stream, const Rows& units) {
        Rows rows = stream;
        StepUnits given{units, {}};
        StepExtras extras;
        const Rows replay = drawn("memory_idx", step, u);
        switch (method_->replay().batch) {
            case Replay::Batch::Joined:
                given.replay = unitsOf(replay);
                rows.insert(rows.end(), replay.begin(), replay.end());
                break;
            case Replay::Batch::Apart:
                if (!replay.empty()) extras.past = {pastBatch(replay)};
                break;
            case Replay::Batch::Twice: {
                const Rows first = drawn("memoryA_idx", step, u), second = drawn("memoryB_idx", step, u);
                if (first.empty()) break;
                extras.past = {pastBatch(first), pastBatch(second)};
                extras.past[0].logits = golden_.at("memoryA_logits")[step][u].to(GoldenPlace::device());
                break;
            }
            case Replay::Batch::Instead:
                given = {{}, unitsOf(replay)};
                rows = replay;
                extras.samples = replay;
                break;
        }
        auto [result, visible] = learnUpdate(*method_, *policy_, registry_.count(), given, imagesAt(rows), std::nullopt,
                                             false, std::move(extras));
        settle(result);
        checks_->update(update_, result);
    }

    const TensorFile& golden_;
    TensorFile data_;
    CaseCheck check_;
    std::optional<TrajectoryChecks> checks_;
    std::int64_t classes_ = 0, updates_ = 1, update_ = 0, draw_ = 0;
    std::unique_ptr<BalancedMemory> memory_;  // the trainer's, for recorded draws
    std::vector<std::int64_t> streamed_;      // samples of the current session
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
    if (!method) return caseToDo("trajectories/" + name);
    const TensorFile golden = readSafetensors(file);
    return Trajectory(root, golden, name, *method).verify();
}

}  // namespace palimpsest
