// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/dual_prompts.h"

#include <algorithm>
#include <optional>
#include <tuple>

#include "engine/config/option_table.h"
#include "engine/method/prompt_files.h"
#include "engine/method/prompts.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"
#include "engine/support/one_of_two.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

std::vector<std::int64_t> blocksWithin(const std::string& key, const std::string& text, std::int64_t depth) {
    std::vector<std::int64_t> blocks = blockList(key, text);
    if (!blocks.empty() && blocks.back() >= depth)
        throw inputError(key + " names block " + std::to_string(blocks.back()) + ", but the backbone has only " +
                             (depth == 1 ? "block 0" : "the blocks 0 to " + std::to_string(depth - 1)) + ".",
                         "Choose a deeper backbone or other blocks.");
    return blocks;
}

/// Position of block i in the list; absent when it is not there.
std::optional<std::int64_t> placeOf(const std::vector<std::int64_t>& blocks, std::int64_t i) {
    const auto found = std::find(blocks.begin(), blocks.end(), i);
    if (found == blocks.end()) return std::nullopt;
    return found - blocks.begin();
}

std::string blocksText(const std::vector<std::int64_t>& blocks) {
    std::string text = blocks.size() == 1 ? "in block" : "in blocks";
    for (const std::int64_t block : blocks) {
        text += ' ';
        text += std::to_string(block);
    }
    return text;
}

constexpr const char* kBetween = "; ";

/// The layout's prompts, as far as there are some, and its form.
std::vector<std::string> layoutParts(const PromptLayout& layout) {
    std::vector<std::string> parts;
    if (!layout.general_blocks.empty())
        parts.push_back(std::to_string(layout.general_length) + " general tokens " + blocksText(layout.general_blocks));
    if (!layout.expert_blocks.empty())
        parts.push_back(std::to_string(layout.pool_size) + " prompts of " + std::to_string(layout.expert_length) +
                        " expert tokens " + blocksText(layout.expert_blocks));
    parts.push_back(layout.form == PromptLayout::Form::Prefix ? "prefix tuning" : "prompt tuning");
    return parts;
}

/// Text such as "for 20 general tokens in block 0": the part of a file's layout that corresponds to `part` of another.
std::string counterpart(const std::string& given, const std::string& part) {
    for (const std::string kind : {" general tokens ", " expert tokens ", " tuning"}) {
        if (part.find(kind) == std::string::npos) continue;
        const std::size_t at = given.find(kind);
        if (at == std::string::npos) return "without" + kind.substr(0, kind.find_last_not_of(' ') + 1);
        const std::string between = kBetween;
        const std::size_t begin = given.rfind(between, at) + between.size();
        return "for " + given.substr(begin, given.find(between, at) - begin);
    }
    return "for" + given;
}

/// Another layout can have the same shapes, and would be loaded into the wrong blocks. A file that does not say what it
/// was made for is accepted; so is one that holds more than is wanted.
void requireLayout(const TensorFile& file, const PromptLayout& wanted) {
    const auto said = file.metadata.find(kPromptLayoutKey);
    if (said == file.metadata.end()) return;
    const std::string given = kBetween + said->second + kBetween;
    for (const std::string& part : layoutParts(wanted))
        if (given.find(kBetween + part + kBetween) == std::string::npos)
            throw inputError(
                "The prompts " + file.origin + " were made " + counterpart(given, part) + ", but the experiment has " +
                    part + ".",
                "Set the method's blocks, pool and form of prompts as they were, and its lengths to 0, which "
                "takes theirs; or make prompts with `palimpsest-cli isa`.");
}

void copyPrompt(Tensor target, const TensorFile& file, const std::string& name) {
    const Tensor& given = file.at(name);
    if (given.sizes() != target.sizes())
        throw inputError(
            "The prompts " + file.origin + " hold " + name + " of shape " + sizesText(given.sizes()) + " where " +
                sizesText(target.sizes()) + " is needed (prompts, blocks x rows, width).",
            "Use prompts that were made for this backbone, pool size, blocks and lengths, or make some with "
            "`palimpsest-cli isa`.");
    if (!at::isfinite(given).all().item<bool>())
        throw inputError("The prompts " + file.origin + " hold a number in " + name + " that is not finite.",
                         "Use prompts of an adaptation that did not diverge.");
    target.copy_(given);
}

/// Tokens a block of the prompts in a file, where it has them for so many blocks.
void takeLength(std::int64_t& length, const TensorFile& file, const char* name, const PromptLayout& layout,
                const std::vector<std::int64_t>& blocks) {
    const Tensor* found = file.find(name);
    if (!found || blocks.empty()) return;
    const std::int64_t rows = found->size(1), of_one = std::ssize(blocks) * layout.rows(1);
    if (rows > 0 && rows % of_one == 0) length = rows / of_one;
}

}  // namespace

std::string layoutText(const PromptLayout& layout) {
    std::string text;
    for (const std::string& part : layoutParts(layout)) text += (text.empty() ? "" : kBetween) + part;
    return text;
}

PromptLengths promptLengths(const PromptLayout& layout) {
    PromptLengths lengths;
    if (!layout.general_blocks.empty()) lengths["method.g_length"] = layout.general_length;
    if (!layout.expert_blocks.empty()) lengths["method.e_length"] = layout.expert_length;
    return lengths;
}

PromptLayout promptLayout(const MethodOptions& method, const VitShape& shape, const std::string& initial) {
    const PromptOptions& options = method.of<PromptOptions>();
    PromptLayout layout;
    const bool prefix = isSecondOf("form of prompts", options.form, "tuning", "prefix");
    layout.form = prefix ? PromptLayout::Form::Prefix : PromptLayout::Form::Tuning;
    layout.general_blocks = blocksWithin("method.g_blocks", options.g_blocks, shape.depth);
    layout.expert_blocks = blocksWithin("method.e_blocks", options.e_blocks, shape.depth);
    if (layout.general_blocks.empty() && layout.expert_blocks.empty())
        throw inputError("method.g_blocks and method.e_blocks are both none, so no prompt is left.",
                         "Name a block, or choose the linear probe.");
    layout.general_length = fittedLength(options.g_length, kPublishedGeneralLength, shape.tokens());
    layout.expert_length = fittedLength(options.e_length, kPublishedExpertLength, shape.tokens());
    layout.pool_size = method.of<PromptPoolOptions>().size;
    if (initial == "none" || (options.g_length > 0 && options.e_length > 0)) return layout;
    const TensorFile file = readPrompts(initial);
    if (options.g_length == 0) takeLength(layout.general_length, file, kGeneralPrompts, layout, layout.general_blocks);
    if (options.e_length == 0) takeLength(layout.expert_length, file, kExpertPrompts, layout, layout.expert_blocks);
    return layout;
}

DualPrompts::DualPrompts(const Vit& vit, const PromptLayout& layout, std::uint64_t seed) : vit_(vit), layout_(layout) {
    const std::int64_t width = vit.shape().width;
    if (hasPool()) {
        Random random(seed, purpose::kPrompts, 2);
        pool_ = std::make_unique<PromptPool>(layout.pool_size,
                                             std::ssize(layout.expert_blocks) * layout.rows(layout.expert_length),
                                             width, random, vit.device());
    }
    if (hasGeneral()) {
        Random random(seed, purpose::kPrompts, 1);
        general_ = at::zeros({1, std::ssize(layout.general_blocks) * layout.rows(layout.general_length), width},
                             at::TensorOptions(at::kFloat).device(vit.device()));
        fillUniform(general_, random, -1, 1);
        general_.requires_grad_(true);
    }
}

void DualPrompts::augment(const PromptAugmenter* general, const PromptAugmenter* expert) {
    general_augmenter_ = general;
    expert_augmenter_ = expert;
}

Tensor DualPrompts::generalNow() const {
    if (!hasGeneral()) return {};
    const Tensor tokens = general_augmenter_ ? (*general_augmenter_)(general_) : general_;
    if (!scale_.defined()) return tokens;
    const std::int64_t blocks = scale_.size(0);
    const Tensor scaled = tokens.reshape({blocks, -1, tokens.size(2)}) * scale_.reshape({blocks, 1, 1});
    return scaled.reshape(tokens.sizes()) + translation_;
}

Tensor DualPrompts::expertsNow(const Tensor& chosen) const {
    if (!hasPool()) return {};
    const Tensor prompts = chosen.defined() ? pool_->prompts().index_select(0, chosen) : pool_->prompts();
    return expert_augmenter_ ? (*expert_augmenter_)(prompts) : prompts;
}

Tensor DualPrompts::actingGeneral() const {
    NoGradGuard guard;
    return hasGeneral() ? generalNow().detach().clone() : Tensor();
}

Tensor DualPrompts::actingExperts() const {
    NoGradGuard guard;
    return hasPool() ? expertsNow().detach().clone() : Tensor();
}

void DualPrompts::shiftAndScale() {
    if (!hasGeneral())
        throw inputError("method.shift_and_scale is true, but there is no general prompt to shift and scale.",
                         "Name a block in method.g_blocks.");
    scale_ = at::ones({std::ssize(layout_.general_blocks)}, general_.options()).requires_grad_(true);
    translation_ = at::zeros({general_.size(1), general_.size(2)}, general_.options()).requires_grad_(true);
}

// The official code runs each prompted block on tokens and prompts and throws the prompts' outputs away, so they only
// ever act as keys and values; these depend on the prompt alone and are computed once, not once a sample. Where among
// the keys they stand makes no difference to a softmax over all of them.
Tensor DualPrompts::keysValues(std::int64_t i, const Tensor& tokens, std::int64_t place, std::int64_t length) const {
    const std::int64_t count = layout_.rows(length);
    const Tensor rows = tokens.narrow(1, place * count, count);
    if (layout_.form == PromptLayout::Form::Tuning) return vit_.keysValues(i, rows + vit_.classPosition());
    return vit_.prefixKeysValues(i, rows.narrow(1, 0, length), rows.narrow(1, length, length));
}

Tensor DualPrompts::extra(std::int64_t i, const Tensor& general, const Tensor& experts, const Tensor& index,
                          std::int64_t batch) const {
    Tensor all;
    if (const auto place = placeOf(layout_.general_blocks, i))
        all = keysValues(i, general, *place, layout_.general_length).expand({batch, -1, -1});
    if (const auto place = placeOf(layout_.expert_blocks, i)) {
        const Tensor chosen = keysValues(i, experts, *place, layout_.expert_length).index_select(0, index);
        all = all.defined() ? at::cat({all, chosen}, 1) : chosen;
    }
    return all;
}

Tensor DualPrompts::features(const Tensor& images, const Tensor& index) const {
    // A large pool mostly waits: only what was chosen needs keys and values.
    Tensor chosen, places = index;
    if (hasPool() && pool_->size() > images.size(0)) {
        if (index.is_cpu())
            std::tie(chosen, places) = at::_unique(index, /*sorted=*/true, /*return_inverse=*/true);
        else  // How many differ, a GPU would have to be asked.
            std::tie(chosen, places) = std::pair(index, at::arange(index.size(0), index.options()));
    }
    const Tensor general = generalNow(), experts = expertsNow(chosen);
    std::vector<Tensor> all;
    for (std::int64_t i = 0; i < vit_.shape().depth; ++i)
        all.push_back(extra(i, general, experts, places, images.size(0)));
    return vit_.features(images, all);
}

std::vector<NamedTensor> DualPrompts::parameters() const {
    std::vector<NamedTensor> all;
    if (hasGeneral()) all.push_back({"g_prompt.prompts", general_});
    if (hasPool()) all.push_back({"e_prompt.key", pool_->keys()});
    if (hasPool()) all.push_back({"e_prompt.prompts", pool_->prompts()});
    if (scale_.defined()) {
        all.push_back({"scale", scale_});
        all.push_back({"translation", translation_});
    }
    return all;
}

void DualPrompts::load(const std::string& path, const std::string& which) {
    if (which != "both" && which != "general" && which != "expert")
        throw inputError("There are no initial prompts called \"" + which + "\".", "Choose both, general or expert.");
    NoGradGuard guard;
    const TensorFile file = readPrompts(path);
    const bool general = hasGeneral() && which != "expert", expert = hasPool() && which != "general";
    PromptLayout wanted = layout_;
    if (!general) wanted.general_blocks.clear();
    if (!expert) wanted.expert_blocks.clear();
    requireLayout(file, wanted);
    if (general) copyPrompt(general_, file, kGeneralPrompts);
    if (expert) copyPrompt(pool_->prompts(), file, kExpertPrompts);
}

}  // namespace palimpsest
