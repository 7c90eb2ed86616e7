// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/builtin.h"
#include "engine/method/frozen_method.h"
#include "engine/method/linear_head.h"
#include "engine/method/prompt_pool.h"
#include "engine/method/purpose.h"
#include "engine/network/safetensors.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kGeneralBlocks = 2;   // blocks 0 and 1 carry the G-prompt
constexpr std::int64_t kExpertBlocks = 3;    // blocks 2, 3 and 4 the E-prompt
constexpr double kSimilarityWeight = 1.0;

/// DualPrompt with prompt tuning (MISA, models/dualprompt.py): each prompted block attends to its tokens and to fresh
/// prompt tokens (class-token position added), and keeps the outputs of the first N + 1 tokens only.
/// Loss: cross-entropy of the masked logits + mean distance of the selected keys.
class DualPrompt : public FrozenBackboneMethod {
public:
    explicit DualPrompt(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          g_length_(setup.method.g_length),
          e_length_(setup.method.e_length),
          sliced_(setup.method.prompt_selection == "session-slice"),
          pool_(makePool(setup)) {
        if (vit_->shape().depth < kGeneralBlocks + kExpertBlocks)
            throw inputError("DualPrompt needs a backbone of at least 5 blocks; this one has " +
                                 std::to_string(vit_->shape().depth) + ".",
                             "Choose a deeper backbone or another method.");
        Random random(setup.seed, purpose::kPrompts, 1);
        general_ = at::zeros({1, kGeneralBlocks * g_length_, vit_->shape().width},
                             at::TensorOptions(at::kFloat).device(vit_->device()));
        fillUniform(general_, random, -1, 1);
        general_.requires_grad_(true);
        if (setup.initial_session.prompts != "none") loadPrompts(setup.initial_session.prompts);
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        const Tensor query = frozenFeatures(input.images);
        const bool slice = sliced_ && session_ < pool_.size();
        const auto selection = slice ? pool_.select(query, session_, 1, /*published=*/true) : pool_.select(query);
        ForwardResult result = plainForward(head_(promptedFeatures(input.images, selection.index)), input);
        result.loss = result.loss + kSimilarityWeight * selection.distance.mean();
        result.query = query;
        result.selected = selection.index;
        result.distance = selection.distance;
        return result;
    }

    void endSession() override { ++session_; }

    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const auto selection = pool_.select(frozen);
        last_selection_ = selection.index;
        last_penalty_ = kSimilarityWeight * selection.distance.detach().mean().item<double>();
        return head_(promptedFeatures(images, selection.index));
    }
    bool needsImages() const override { return true; }
    bool evaluatesSeenOnly() const override { return false; }
    std::int64_t poolSize() const override { return pool_.size(); }
    double lastPenalty() const override { return last_penalty_; }
    std::vector<std::int64_t> lastSelection() const override { return indexVector(last_selection_); }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = head_.parameters("backbone.");
        all.push_back({"g_prompt.prompts", general_});
        all.push_back({"e_prompt.key", pool_.keys()});
        all.push_back({"e_prompt.prompts", pool_.prompts()});
        return all;
    }

private:
    PromptPool makePool(const MethodSetup& setup) const {
        Random random(setup.seed, purpose::kPrompts, 2);
        return PromptPool(setup.method.pool_size, kExpertBlocks * e_length_, vit_->shape().width, random,
                          vit_->device());
    }

    void loadPrompts(const std::string& path) {
        NoGradGuard guard;
        const TensorFile file = readSafetensors(path);
        const auto take = [&](Tensor& target, const char* name) {
            const Tensor& given = file.at(name);
            if (given.sizes() != target.sizes())
                throw inputError("The prompts " + path + " hold " + name + " of another shape than this network's.",
                                 "Make them with the same backbone, pool size and prompt lengths.");
            target.copy_(given);
        };
        take(general_, "g_prompt.prompts");
        take(pool_.prompts(), "e_prompt.prompts");
    }

    /// The official code runs each prompted block on tokens and prompts and throws the prompts' outputs away, so they
    /// only ever act as keys and values; these depend on the prompt alone and are computed once, not once a sample.
    Tensor promptedFeatures(const Tensor& images, const Tensor& index) const {
        Tensor x = vit_->embed(images);
        const std::int64_t last = vit_->shape().depth - 1;
        for (std::int64_t i = 0; i < last; ++i) x = vit_->block(i, x, promptOf(i, index));
        return vit_->classFeature(x, promptOf(last, index));
    }

    /// Keys and values of block i's prompts for each sample, [B, L, 2 D]; undefined where a block has none.
    Tensor promptOf(std::int64_t i, const Tensor& index) const {
        if (i < kGeneralBlocks) {
            const Tensor tokens = general_.narrow(1, i * g_length_, g_length_);
            return vit_->keysValues(i, tokens + vit_->classPosition()).expand({index.size(0), -1, -1});
        }
        if (i >= kGeneralBlocks + kExpertBlocks) return {};
        const Tensor tokens = pool_.prompts().narrow(1, (i - kGeneralBlocks) * e_length_, e_length_);
        return vit_->keysValues(i, tokens + vit_->classPosition()).index_select(0, index);
    }

    LinearHead head_;
    std::int64_t g_length_, e_length_;
    bool sliced_;
    PromptPool pool_;
    Tensor general_;            // [1, 2 L_G, D]
    std::int64_t session_ = 0;
    Tensor last_selection_;
    double last_penalty_ = 0;
};

}  // namespace

std::unique_ptr<Method> makeDualPrompt(const MethodSetup& setup) { return std::make_unique<DualPrompt>(setup); }

}  // namespace palimpsest
