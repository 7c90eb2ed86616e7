// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/verify_cases.h"

#include <charconv>
#include <regex>

#include "engine/adaptation/prompt_adapter.h"
#include "engine/method/method.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "engine/verify/golden_case.h"
#include "engine/verify/golden_compare.h"
#include "engine/verify/golden_optimizer.h"
#include "engine/verify/golden_place.h"

namespace palimpsest {
namespace {

constexpr double kAdaptationLosses = 1e-5, kAdaptationParameters = 1e-4;

Error notUnderstood(const std::string& words) {
    return inputError("The optimiser \"" + words + "\" of an adaptation is not understood.",
                      "Use golden files of a version that this program understands.");
}

/// Parses "fam (base Adam) lr 5e-3 rho 0.1" or "sam (...) ..."; naive adaptation has the text of a plain optimiser.
AdapterSettings settingsOf(const std::string& words) {
    static const std::regex kTwoPasses(R"((fam|sam) \(base (\w+)\) (.+) rho (\S+))");
    AdapterSettings settings;
    settings.kind = AdapterSettings::Kind::Naive;
    std::string plain = words;
    if (std::smatch part; std::regex_match(words, part, kTwoPasses)) {
        settings.kind = part[1] == "fam" ? AdapterSettings::Kind::Fam : AdapterSettings::Kind::Sam;
        const std::string rho = part[4];
        const auto [end, error] = std::from_chars(rho.data(), rho.data() + rho.size(), settings.rho);
        if (error != std::errc() || end != rho.data() + rho.size()) throw notUnderstood(words);
        plain = part[2].str() + " " + part[3].str();
    }
    const OptimizerSettings base = parseOptimizer(plain), adam;
    if (base.kind != adam.kind || base.weight_decay != 0 || base.beta1 != adam.beta1 || base.beta2 != adam.beta2 ||
        base.epsilon != adam.epsilon)
        throw notUnderstood(words);
    settings.learning_rate = base.learning_rate;
    return settings;
}

class Adaptation {
public:
    Adaptation(const std::filesystem::path& root, const TensorFile& golden, const std::string& name)
        : golden_(golden),
          data_(readSafetensors(root / "shared" / "data.safetensors")),
          check_("trajectories/" + name) {
        sensitivity_ = metadataJson(golden, "sensitivity");
        const std::string optimizer = metadataJson(golden, "config").at("optimizer").get<std::string>();
        updates_ = std::stoll(golden.metadata.at("updates_per_step"));
        made_ = makeGoldenAdapter(root, golden, settingsOf(optimizer), "final.");
    }

    VerifiedCase verify() {
        const Tensor steps = golden_.at("stream_idx");
        for (std::int64_t step = 0; step < steps.size(0); ++step) learn(step, indexVector(steps[step]));
        const std::vector<std::int64_t> exposed(registry_.exposed().begin(), registry_.exposed().end());
        sameIntegers(check_, "exposed class", exposed, golden_.at("exposed_classes"));
        compareFinalParameters(check_, golden_, made_.adapter->trainable(), kAdaptationParameters);
        compareLearnedPrompts();
        compareFinalLogits();
        return check_.result();
    }

private:
    /// Learns one step. The classes to adapt to appear first, then those of each batch of others; the mask shows all
    /// that have appeared.
    void learn(std::int64_t step, const std::vector<std::int64_t>& stream) {
        registry_.expose(labelsAt(data_.at("labels"), stream));
        for (std::int64_t u = 0; u < updates_; ++u, ++update_) {
            std::optional<PromptAdapter::Batch> other;
            if (const Tensor* others = golden_.find("ood_idx")) {
                const std::vector<std::int64_t> rows = indexVector((*others)[step][u]);
                registry_.expose(labelsAt(data_.at("labels"), rows));
                other = batch(rows);
            }
            compare(made_.adapter->step(batch(stream), other));
        }
    }

    PromptAdapter::Batch batch(const std::vector<std::int64_t>& rows) const {
        const at::Device device = GoldenPlace::device();
        return {data_.at("images").index_select(0, at::tensor(rows, at::kLong)).to(device),
                at::tensor(registry_.units(labelsAt(data_.at("labels"), rows)), at::kLong).to(device),
                seenMask(registry_.count(), made_.units, device)};
    }

    void compare(const PromptAdapter::Step& step) {
        const std::string which = " of update " + std::to_string(update_ + 1);
        const double bound =
            tolerance(sensitivity_.value("loss_max_abs_fp32_vs_fp64", nlohmann::json()), kAdaptationLosses);
        const auto compareLoss = [&](const std::string& what, double loss, const Tensor& expected) {
            const double value = expected.item<double>();
            check_.near(what + which, loss, value, bound + kAdaptationLosses * std::abs(value));
        };
        const Tensor passes = golden_.at("forward_losses")[update_];
        const std::int64_t last = passes.size(0) - 1;
        compareLoss("loss", step.loss, golden_.at("losses")[update_]);
        compareLoss("loss of the last pass", step.loss, passes[last]);
        if (last > 0) compareLoss("loss of the first pass", step.first_loss, passes[0]);
        check_.near("accuracy" + which, step.accuracy, golden_.at("train_acc")[update_].item<double>(), 1e-6);
        const Tensor selected = golden_.at("selected").narrow(0, update_ * (last + 1), last + 1);
        sameIntegers(check_, "prompt selected in the last pass" + which, indexVector(step.selected), selected[last]);
        if (last > 0)
            sameIntegers(check_, "prompt selected in the first pass" + which, indexVector(step.first_selected),
                         selected[0]);
    }

    /// Compares the prompts that the official code saves for later: MLP(p) + p.
    void compareLearnedPrompts() {
        for (const auto& [name, tensor] : made_.adapter->learnedPrompts()) {
            const char* saved = name == "g_prompt.prompts" ? "final.g_prompts_augmented" : "final.e_prompts_augmented";
            if (const Tensor* expected = golden_.find(saved))
                // Tolerance counts a prompt twice here: by itself and through its MLP.
                nearTensor(check_, "learned " + name, tensor, *expected,
                           2 * parameterTolerance(sensitivity_, name, kAdaptationParameters));
        }
    }

    void compareFinalLogits() {
        NoGradGuard guard;
        const Tensor images = data_.at("images").index_select(0, golden_.at("eval_idx")).to(GoldenPlace::device());
        // Raw logits: neither units nor mask matter.
        const PromptAdapter::Batch all{images, at::zeros({images.size(0)}, images.options().dtype(at::kLong)),
                                       at::zeros({made_.units}, images.options())};
        const ForwardResult result = made_.adapter->forward(all, made_.adapter->query(images));
        const double bound =
            tolerance(sensitivity_.value("eval_logits_max_abs_fp32_vs_fp64", nlohmann::json()), kAdaptationParameters);
        nearTensor(check_, "final logits", result.logits, golden_.at("eval_logits"), bound);
        sameIntegers(check_, "prompt selected at the end", indexVector(result.selected), golden_.at("eval_selected"));
    }

    const TensorFile& golden_;
    TensorFile data_;
    CaseCheck check_;
    nlohmann::json sensitivity_;
    std::int64_t updates_ = 1, update_ = 0;
    GoldenAdapter made_;
    ClassRegistry registry_;
};

}  // namespace

VerifiedCase verifyAdaptation(const std::filesystem::path& root, const std::filesystem::path& file) {
    const TensorFile golden = readSafetensors(file);
    return Adaptation(root, golden, file.stem().string()).verify();
}

}  // namespace palimpsest
