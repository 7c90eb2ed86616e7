// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/config/experiment.h"
#include "engine/config/prompt_lengths.h"
#include "engine/method/prompts.h"
#include "engine/network/vit.h"

namespace palimpsest {

/// The blocks that carry prompts, and how these act there.
struct PromptLayout {
    enum class Form {
        Tuning,  ///< tokens that are attended to: LayerNorm, keys and values; class-token position added
        Prefix,  ///< rows beside the LayerNorm's output that go through W_k and W_v alone (MISA, models/dualprompt.py)
    };
    Form form = Form::Tuning;
    std::vector<std::int64_t> general_blocks{0, 1};    ///< ascending; empty: no general prompt
    std::vector<std::int64_t> expert_blocks{2, 3, 4};  ///< ascending; empty: no pool
    std::int64_t general_length = 10;                  ///< tokens a block
    std::int64_t expert_length = 20;
    std::int64_t pool_size = 10;

    /// Rows of a prompt that belong to one block. A prefix has twice its length: the first half are inputs of the key
    /// matrix, the second of the value matrix, so that the block attends to `length` more tokens in either form.
    std::int64_t rows(std::int64_t length) const { return form == Form::Prefix ? 2 * length : length; }
};
/// "10 general tokens in blocks 0 1; 10 prompts of 20 expert tokens in blocks 2 3 4; prompt tuning"
std::string layoutText(const PromptLayout& layout);

/// Lengths of the prompts that the layout has.
PromptLengths promptLengths(const PromptLayout& layout);

/// The layout that the options ask for, checked against the network. One block may carry both prompts, and then attends
/// to both. Lengths that are 0 become those of the prompts `initial` (a path as for load(), or "none") or, where these
/// say nothing, fitted ones. Throws Error(Input) for lists that do not rise, blocks the network has not, where no
/// prompt is left, and for a path without prompts.
PromptLayout promptLayout(const MethodOptions& method, const VitShape& shape, const std::string& initial = "none");

/// The general prompt and the pool of expert prompts over a frozen network (MISA, models/dualprompt.py and
/// models/prompt.py). Shared by DualPrompt (MISA) and by initial session adaptation.
class DualPrompts {
public:
    /// Draws prompts and keys uniformly in -1..1 from the seed. The network must outlive this.
    DualPrompts(const Vit& vit, const PromptLayout& layout, std::uint64_t seed);

    const PromptLayout& layout() const { return layout_; }
    bool hasGeneral() const { return !layout_.general_blocks.empty(); }
    bool hasPool() const { return !layout_.expert_blocks.empty(); }
    PromptPool& pool() { return *pool_; }
    const PromptPool& pool() const { return *pool_; }
    Tensor& general() { return general_; }  ///< [1, G blocks * rows(L_G), D]
    const Tensor& general() const { return general_; }

    /// Lets the prompts act as p + MLP(p) from now on; null: as they are. Not owned.
    void augment(const PromptAugmenter* general, const PromptAugmenter* expert);
    /// The tensors as they act: p + MLP(p) where augmented. Detached copies; undefined where there is none.
    Tensor actingGeneral() const;  ///< [1, G blocks * rows(L_G), D]
    Tensor actingExperts() const;  ///< [pool, E blocks * rows(L_E), D]

    /// Lets the general prompt act as scale_l G_l + translation_l in its l-th block; both learn beside the prompts
    ///  (the paper's appendix on domain adaptation, after Lian et al., SSF; it does not say whether the prompts
    /// themselves still learn). The scales are 1 and the translations 0 at first. Throws Error(Input) without a general
    /// prompt.
    void shiftAndScale();

    /// Class-token feature of the prompted pass: [B, 3, H, W] and the chosen prompts int64 [B] (undefined without a
    /// pool) -> [B, D].
    Tensor features(const Tensor& images, const Tensor& index) const;

    /// The learnable tensors: "g_prompt.prompts", "e_prompt.key" and "e_prompt.prompts", as far as they exist. After
    /// shiftAndScale() also "scale" [G blocks] and "translation" [G blocks * rows(L_G), D].
    std::vector<NamedTensor> parameters() const;
    /// Copies prompts (never keys) from a file: .safetensors with g_prompt.prompts and e_prompt.prompts, or a folder or
    /// pair of PyTorch files as officially published (g_prompt.pt and e_prompt.pt). `which`: "both", or "general" or
    /// "expert" alone; the other one stays as it is (the paper, Table 9). Throws Error(Input) naming the tensor that is
    /// missing or has another shape, and both shapes; and both layouts where the file says that it has another one.
    void load(const std::string& path, const std::string& which = "both");

private:
    Tensor generalNow() const;
    /// Those of the rows `chosen` [K] of the pool alone, where it is defined.
    Tensor expertsNow(const Tensor& chosen = {}) const;
    /// Keys and values [P, L, 2 D] of block i's rows of `tokens` [P, ..., D], where it is the place-th that has some.
    Tensor keysValues(std::int64_t i, const Tensor& tokens, std::int64_t place, std::int64_t length) const;
    /// Keys and values that block i attends to besides its own tokens: [B, L, 2 D]; undefined where it carries no
    /// prompt.
    Tensor extra(std::int64_t i, const Tensor& general, const Tensor& experts, const Tensor& index,
                 std::int64_t batch) const;

    const Vit& vit_;
    PromptLayout layout_;
    std::unique_ptr<PromptPool> pool_;
    Tensor general_, scale_, translation_;
    const PromptAugmenter* general_augmenter_ = nullptr;
    const PromptAugmenter* expert_augmenter_ = nullptr;
};

}  // namespace palimpsest
