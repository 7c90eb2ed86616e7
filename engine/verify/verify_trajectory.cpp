// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>

#include "engine/memory/balanced_memory.h"
#include "engine/optim/class_registry.h"
#include "engine/optim/logit_mask.h"
#include "engine/support/error.h"
#include "engine/train/online_loop.h"
#include "engine/verify/golden_case.h"
#include "engine/verify/golden_compare.h"
#include "engine/verify/golden_optimizer.h"
#include "engine/verify/trajectory_checks.h"
#include "engine/verify/verify_adaptation.h"
#include "engine/verify/verify_learning.h"

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
            UpdateInput made{batch.images, batch.units,
                             additiveMask(trajectory_.policy_->visible(indexVector(batch.units), seen), at::kCPU)};
            made.samples = samples;
            made.seen = seen;
            return made;
        }
        void updated(const UpdateResult& result) override {
            trajectory_.checks_->memoryUpdate(session_, updates_++, result);
        }
        void remember(const Rows&) override {}
        bool goOn(const std::string&, std::int64_t, std::int64_t) override { return true; }
        std::int64_t updates() const { return updates_; }

    private:
        Trajectory& trajectory_;
        std::int64_t session_, updates_ = 0;
    };

    Rows unitsOf(const Rows& rows) const { return registry_.units(labelsAt(labels_, rows)); }
    Tensor imagesAt(const Rows& rows) const { return data_.at("images").index_select(0, at::tensor(rows, at::kLong)); }
    PastBatch pastBatch(const Rows& rows) const { return {imagesAt(rows), at::tensor(unitsOf(rows), at::kLong)}; }

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
                extras.past[0].logits = golden_.at("memoryA_logits")[step][u];
                break;
            }
            case Replay::Batch::Instead:
                given = {{}, unitsOf(replay)};
                rows = replay;
                extras.samples = replay;
                break;
        }
        const auto [result, visible] = learnUpdate(*method_, *policy_, registry_.count(), given, imagesAt(rows),
                                                   std::nullopt, false, std::move(extras));
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
    if (!method) return {"trajectories/" + name, CaseResult::Todo, 0, 0, "its method is still to come"};
    const TensorFile golden = readSafetensors(file);
    return Trajectory(root, golden, name, *method).verify();
}

}  // namespace palimpsest
