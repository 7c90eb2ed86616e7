// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weight_names.h"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// How a tensor's axes are turned into timm's.
enum class Change {
    None,
    Token,        ///< [D] -> [1, 1, D]
    Table,        ///< [N, D] -> [1, N, D]
    Matrix,       ///< [in, out] -> [out, in]
    Convolution,  ///< [height, width, in, out] -> [out, in, height, width]
    IntoHeads,    ///< [D, heads, D / heads] -> [D, D], outputs first
    OutOfHeads,   ///< [heads, D / heads, D] -> [D, D], outputs first
    HeadBias      ///< [heads, D / heads] -> [D]
};

struct Rename {
    std::string_view from, to;
    Change change = Change::None;
};
/// Query, key and value, which timm keeps in one tensor.
struct Join {
    std::array<std::string_view, 3> from;
    std::string_view to;
    Change change = Change::None;
};

struct Layout {
    const char* title;
    std::vector<std::string_view> prefixes;  ///< what may stand before every name
    std::string_view mark;                   ///< a tensor that tells this layout
    std::vector<Rename> outside;             ///< tensors outside of the blocks
    std::string_view blocks;                 ///< what stands before a block's number
    char behind = '.';                       ///< and behind it
    std::vector<Rename> inside;
    std::vector<Join> joins{};
    std::vector<std::string_view> heads{};  ///< tensors of a classifier, outputs in the last extent if `heads_last`
    bool heads_last = false;
    double epsilon = 1e-6;
    bool clip = false;
};

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> all = {
        {.title = "timm",
         .prefixes = {""},
         .mark = "patch_embed.proj.weight",
         .outside = {{"cls_token", "cls_token"},
                     {"pos_embed", "pos_embed"},
                     {"patch_embed.proj.weight", "patch_embed.proj.weight"},
                     {"patch_embed.proj.bias", "patch_embed.proj.bias"},
                     {"norm_pre.weight", "norm_pre.weight"},
                     {"norm_pre.bias", "norm_pre.bias"},
                     {"norm.weight", "norm.weight"},
                     {"norm.bias", "norm.bias"}},
         .blocks = "blocks.",
         .inside = {{"norm1.weight", "norm1.weight"},
                    {"norm1.bias", "norm1.bias"},
                    {"attn.qkv.weight", "attn.qkv.weight"},
                    {"attn.qkv.bias", "attn.qkv.bias"},
                    {"attn.proj.weight", "attn.proj.weight"},
                    {"attn.proj.bias", "attn.proj.bias"},
                    {"norm2.weight", "norm2.weight"},
                    {"norm2.bias", "norm2.bias"},
                    {"mlp.fc1.weight", "mlp.fc1.weight"},
                    {"mlp.fc1.bias", "mlp.fc1.bias"},
                    {"mlp.fc2.weight", "mlp.fc2.weight"},
                    {"mlp.fc2.bias", "mlp.fc2.bias"}},
         .heads = {"head.bias", "fc.bias", "head.weight", "fc.weight"}},
        {.title = "Hugging Face",
         .prefixes = {"vit.", "deit.", ""},
         .mark = "embeddings.patch_embeddings.projection.weight",
         .outside = {{"embeddings.cls_token", "cls_token"},
                     {"embeddings.position_embeddings", "pos_embed"},
                     {"embeddings.patch_embeddings.projection.weight", "patch_embed.proj.weight"},
                     {"embeddings.patch_embeddings.projection.bias", "patch_embed.proj.bias"},
                     {"layernorm.weight", "norm.weight"},
                     {"layernorm.bias", "norm.bias"}},
         .blocks = "encoder.layer.",
         .inside = {{"layernorm_before.weight", "norm1.weight"},
                    {"layernorm_before.bias", "norm1.bias"},
                    {"attention.output.dense.weight", "attn.proj.weight"},
                    {"attention.output.dense.bias", "attn.proj.bias"},
                    {"layernorm_after.weight", "norm2.weight"},
                    {"layernorm_after.bias", "norm2.bias"},
                    {"intermediate.dense.weight", "mlp.fc1.weight"},
                    {"intermediate.dense.bias", "mlp.fc1.bias"},
                    {"output.dense.weight", "mlp.fc2.weight"},
                    {"output.dense.bias", "mlp.fc2.bias"}},
         .joins = {{{"attention.attention.query.weight", "attention.attention.key.weight",
                     "attention.attention.value.weight"},
                    "attn.qkv.weight"},
                   {{"attention.attention.query.bias", "attention.attention.key.bias",
                     "attention.attention.value.bias"},
                    "attn.qkv.bias"}},
         .heads = {"classifier.bias", "classifier.weight", "cls_classifier.bias"},
         .epsilon = 1e-12},
        {.title = "Google JAX",
         .prefixes = {"", "opt/target/", "params/"},
         .mark = "embedding/kernel",
         .outside = {{"cls", "cls_token"},
                     {"Transformer/posembed_input/pos_embedding", "pos_embed"},
                     {"embedding/kernel", "patch_embed.proj.weight", Change::Convolution},
                     {"embedding/bias", "patch_embed.proj.bias"},
                     {"Transformer/encoder_norm/scale", "norm.weight"},
                     {"Transformer/encoder_norm/bias", "norm.bias"}},
         .blocks = "Transformer/encoderblock_",
         .behind = '/',
         .inside = {{"LayerNorm_0/scale", "norm1.weight"},
                    {"LayerNorm_0/bias", "norm1.bias"},
                    {"MultiHeadDotProductAttention_1/out/kernel", "attn.proj.weight", Change::OutOfHeads},
                    {"MultiHeadDotProductAttention_1/out/bias", "attn.proj.bias"},
                    {"LayerNorm_2/scale", "norm2.weight"},
                    {"LayerNorm_2/bias", "norm2.bias"},
                    {"MlpBlock_3/Dense_0/kernel", "mlp.fc1.weight", Change::Matrix},
                    {"MlpBlock_3/Dense_0/bias", "mlp.fc1.bias"},
                    {"MlpBlock_3/Dense_1/kernel", "mlp.fc2.weight", Change::Matrix},
                    {"MlpBlock_3/Dense_1/bias", "mlp.fc2.bias"}},
         .joins = {{{"MultiHeadDotProductAttention_1/query/kernel", "MultiHeadDotProductAttention_1/key/kernel",
                     "MultiHeadDotProductAttention_1/value/kernel"},
                    "attn.qkv.weight",
                    Change::IntoHeads},
                   {{"MultiHeadDotProductAttention_1/query/bias", "MultiHeadDotProductAttention_1/key/bias",
                     "MultiHeadDotProductAttention_1/value/bias"},
                    "attn.qkv.bias",
                    Change::HeadBias}},
         .heads = {"head/bias", "head/kernel"},
         .heads_last = true},
        {.title = "CLIP (OpenAI)",
         .prefixes = {"visual.", ""},
         .mark = "class_embedding",
         .outside = {{"class_embedding", "cls_token", Change::Token},
                     {"positional_embedding", "pos_embed", Change::Table},
                     {"conv1.weight", "patch_embed.proj.weight"},
                     {"ln_pre.weight", "norm_pre.weight"},
                     {"ln_pre.bias", "norm_pre.bias"},
                     {"ln_post.weight", "norm.weight"},
                     {"ln_post.bias", "norm.bias"}},
         .blocks = "transformer.resblocks.",
         .inside = {{"ln_1.weight", "norm1.weight"},
                    {"ln_1.bias", "norm1.bias"},
                    {"attn.in_proj_weight", "attn.qkv.weight"},
                    {"attn.in_proj_bias", "attn.qkv.bias"},
                    {"attn.out_proj.weight", "attn.proj.weight"},
                    {"attn.out_proj.bias", "attn.proj.bias"},
                    {"ln_2.weight", "norm2.weight"},
                    {"ln_2.bias", "norm2.bias"},
                    {"mlp.c_fc.weight", "mlp.fc1.weight"},
                    {"mlp.c_fc.bias", "mlp.fc1.bias"},
                    {"mlp.c_proj.weight", "mlp.fc2.weight"},
                    {"mlp.c_proj.bias", "mlp.fc2.bias"}},
         .epsilon = 1e-5,
         .clip = true},
        {.title = "CLIP (Hugging Face)",
         .prefixes = {"vision_model.", ""},
         .mark = "embeddings.class_embedding",
         .outside = {{"embeddings.class_embedding", "cls_token", Change::Token},
                     {"embeddings.position_embedding.weight", "pos_embed", Change::Table},
                     {"embeddings.patch_embedding.weight", "patch_embed.proj.weight"},
                     {"pre_layrnorm.weight", "norm_pre.weight"},  // as it is spelt there
                     {"pre_layrnorm.bias", "norm_pre.bias"},
                     {"post_layernorm.weight", "norm.weight"},
                     {"post_layernorm.bias", "norm.bias"}},
         .blocks = "encoder.layers.",
         .inside = {{"layer_norm1.weight", "norm1.weight"},
                    {"layer_norm1.bias", "norm1.bias"},
                    {"self_attn.out_proj.weight", "attn.proj.weight"},
                    {"self_attn.out_proj.bias", "attn.proj.bias"},
                    {"layer_norm2.weight", "norm2.weight"},
                    {"layer_norm2.bias", "norm2.bias"},
                    {"mlp.fc1.weight", "mlp.fc1.weight"},
                    {"mlp.fc1.bias", "mlp.fc1.bias"},
                    {"mlp.fc2.weight", "mlp.fc2.weight"},
                    {"mlp.fc2.bias", "mlp.fc2.bias"}},
         .joins = {{{"self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight"},
                    "attn.qkv.weight"},
                   {{"self_attn.q_proj.bias", "self_attn.k_proj.bias", "self_attn.v_proj.bias"}, "attn.qkv.bias"}},
         .epsilon = 1e-5,
         .clip = true}};
    return all;
}

/// Without what trainers wrap around a network.
std::string stripped(std::string name) {
    for (bool again = true; again;) {
        again = false;
        for (const std::string_view prefix : {"backbone.", "module.", "model.", "_orig_mod."}) {
            if (!name.starts_with(prefix)) continue;
            name.erase(0, prefix.size());
            again = true;
        }
    }
    return name;
}

/// What becomes one tensor of timm's: a tensor, or three that are joined.
struct Parts {
    std::vector<std::string> names;
    Change change = Change::None;
};

Parts partsOf(const Layout& layout, const std::string& prefix, const std::string& timm) {
    for (const Rename& rename : layout.outside)
        if (rename.to == timm) return {{prefix + std::string(rename.from)}, rename.change};
    constexpr std::string_view kBlocks = "blocks.";
    const std::size_t dot = timm.starts_with(kBlocks) ? timm.find('.', kBlocks.size()) : std::string::npos;
    if (dot == std::string::npos) return {{timm}};
    const std::string block = prefix + std::string(layout.blocks) + timm.substr(kBlocks.size(), dot - kBlocks.size()) +
                              std::string(1, layout.behind);
    const std::string inner = timm.substr(dot + 1);
    for (const Rename& rename : layout.inside)
        if (rename.to == inner) return {{block + std::string(rename.from)}, rename.change};
    for (const Join& join : layout.joins) {
        if (join.to != inner) continue;
        Parts parts{{}, join.change};
        for (const std::string_view name : join.from) parts.names.push_back(block + std::string(name));
        return parts;
    }
    return {{timm}};
}

/// The axes of timm's turned back into the file's.
std::vector<std::int64_t> turnedBack(const std::vector<std::int64_t>& s, Change change, std::int64_t heads) {
    const auto apart = [heads](std::int64_t whole) { return heads > 0 && whole % heads == 0; };
    switch (change) {
        case Change::None:
            break;
        case Change::Token:
            if (s.size() == 3) return {s[2]};
            break;
        case Change::Table:
            if (s.size() == 3) return {s[1], s[2]};
            break;
        case Change::Matrix:
            if (s.size() == 2) return {s[1], s[0]};
            break;
        case Change::Convolution:
            if (s.size() == 4) return {s[2], s[3], s[1], s[0]};
            break;
        case Change::IntoHeads:
            if (s.size() == 2 && apart(s[0])) return {s[1], heads, s[0] / heads};
            break;
        case Change::OutOfHeads:
            if (s.size() == 2 && apart(s[1])) return {heads, s[1] / heads, s[0]};
            break;
        case Change::HeadBias:
            if (s.size() == 1 && apart(s[0])) return {heads, s[0] / heads};
            break;
    }
    return s;
}

class Renamer {
public:
    explicit Renamer(const TensorFile& file) : file_(file) {
        for (const auto& [name, tensor] : file.tensors) {
            given_.emplace(stripped(name), tensor);
            written_.emplace(stripped(name), name);
        }
    }

    NamedWeights read() {
        refuseDistilled();
        const auto [layout, prefix] = choose();
        layout_ = layout;
        prefix_ = prefix;
        out_.metadata = file_.metadata;
        out_.layout = layout_->title;
        readHead();
        for (const Rename& rename : layout_->outside)
            if (const auto tensor = take(std::string(prefix_) + std::string(rename.from)))
                put(std::string(rename.to),
                    changed(*tensor, rename.change, written(std::string(prefix_) + std::string(rename.from))));
        readBlocks();
        describe();
        nameOwn();
        return std::move(out_);
    }

private:
    [[noreturn]] void refuse(const std::string& what, const std::string& hint) const {
        throw inputError("The weights " + file_.origin + " " + what + ".", hint);
    }

    void refuseDistilled() const {
        for (const auto& [name, tensor] : given_)
            if (name.ends_with("dist_token") || name.ends_with("distillation_token"))
                refuse("are of a distilled DeiT, which has the token " + name + " beside the class token",
                       "Take the DeiT that was not distilled, such as deit_small_patch16_224.");
    }

    std::pair<const Layout*, std::string_view> choose() const {
        for (const Layout& layout : layouts())
            for (const std::string_view prefix : layout.prefixes)
                if (given_.contains(std::string(prefix) + std::string(layout.mark))) return {&layout, prefix};
        // Nearly timm's: what is missing is said by name later.
        if (given_.contains("pos_embed") || given_.contains("cls_token")) return {&layouts().front(), ""};
        refuse(file_.tensors.empty()
                   ? "hold no tensor"
                   : "hold no vision transformer with names that are known here: the first tensor is " +
                         file_.tensors.front().name,
               "Give weights with the names of timm, Hugging Face, Google's .npz or CLIP.");
    }

    std::optional<Tensor> take(const std::string& name) {
        const auto found = given_.find(name);
        if (found == given_.end()) return std::nullopt;
        Tensor tensor = found->second;
        given_.erase(found);
        return tensor;
    }

    /// A name as it stands in the file.
    std::string written(const std::string& name) const {
        const auto found = written_.find(name);
        return found == written_.end() ? name : found->second;
    }

    /// So that complaints name what a person finds in the file.
    void nameOwn() {
        if (layout_ == &layouts().front()) return;
        out_.own.layout = layout_->title;
        out_.own.name = [layout = layout_, prefix = std::string(prefix_), all = written_](const std::string& timm) {
            const Parts parts = partsOf(*layout, prefix, timm);
            const bool whole = std::ranges::all_of(parts.names, [&](const auto& name) { return all.contains(name); });
            std::string text;
            // Of three that should be joined, those that are missing.
            for (const std::string& name : parts.names) {
                const auto found = all.find(name);
                if (!whole && found != all.end()) continue;
                text += (text.empty() ? "" : ", ") + (whole ? found->second : name);
            }
            return text;
        };
        out_.own.sizes = [layout = layout_, prefix = std::string(prefix_), heads = heads_](const std::string& timm,
                                                                                         at::IntArrayRef sizes) {
            const Parts parts = partsOf(*layout, prefix, timm);
            std::vector<std::int64_t> one = sizes.vec();
            if (parts.names.size() > 1 && !one.empty()) one[0] /= static_cast<std::int64_t>(parts.names.size());
            return turnedBack(one, parts.change, heads);
        };
    }

    void put(std::string name, Tensor tensor) { out_.tensors.push_back({std::move(name), std::move(tensor)}); }

    Tensor changed(const Tensor& tensor, Change change, std::string_view name) const {
        const auto ofRank = [&](std::int64_t rank) -> const Tensor& {
            if (tensor.dim() != rank || tensor.numel() == 0)
                refuse("hold " + std::string(name) + " of shape " + sizesText(tensor.sizes()) + ", where " +
                           std::to_string(rank) + " extents of at least 1 are needed",
                       "Download or make the file again.");
            return tensor;
        };
        switch (change) {
            case Change::None:
                break;
            case Change::Token:
                return ofRank(1).reshape({1, 1, -1});
            case Change::Table:
                return ofRank(2).unsqueeze(0);
            case Change::Matrix:
                return ofRank(2).t();
            case Change::Convolution:
                return ofRank(4).permute({3, 2, 0, 1});
            case Change::IntoHeads:
                return ofRank(3).flatten(1).t();
            case Change::OutOfHeads:
                return ofRank(3).flatten(0, 1).t();
            case Change::HeadBias:
                return ofRank(2).flatten();
        }
        return tensor;
    }

    /// A head may stand outside of what the prefix names.
    void readHead() {
        for (const std::string_view name : layout_->heads)
            for (const std::string& whole : {std::string(prefix_) + std::string(name), std::string(name)})
                if (const auto tensor = take(whole); tensor && tensor->dim() > 0)
                    out_.head_classes = tensor->size(layout_->heads_last ? -1 : 0);
    }

    /// The name behind a block's number, and the number as it is written; nothing for other names.
    std::optional<std::pair<std::string, std::string>> inBlock(const std::string& name) const {
        const std::string before = std::string(prefix_) + std::string(layout_->blocks);
        if (!name.starts_with(before)) return std::nullopt;
        const std::size_t end = name.find(layout_->behind, before.size());
        if (end == std::string::npos) return std::pair{name.substr(before.size()), std::string()};
        return std::pair{name.substr(before.size(), end - before.size()), name.substr(end + 1)};
    }

    void readBlocks() {
        std::map<std::string, std::map<std::string, Tensor, std::less<>>> blocks;
        for (auto it = given_.begin(); it != given_.end();) {
            const auto place = inBlock(it->first);
            if (place) blocks[place->first].emplace(place->second, it->second);
            it = place ? given_.erase(it) : std::next(it);
        }
        for (auto& [number, parts] : blocks) {
            const std::string block = "blocks." + number + ".";
            for (const Rename& rename : layout_->inside) {
                const auto found = parts.find(rename.from);
                if (found == parts.end()) continue;
                put(block + std::string(rename.to),
                    changed(found->second, rename.change, written(ownBlock(number) + std::string(rename.from))));
                parts.erase(found);
            }
            for (const Join& join : layout_->joins) joinThree(block, ownBlock(number), join, parts);
            if (parts.empty()) continue;
            // Left out, it would change every feature without a word.
            refuse("hold " + std::string(layout_->blocks) + number + layout_->behind + parts.begin()->first +
                       ", a part that this kind of vision transformer does not have",
                   "Give weights of a plain ViT, DeiT or CLIP.");
        }
    }

    std::string ownBlock(const std::string& number) const {
        return std::string(prefix_) + std::string(layout_->blocks) + number + std::string(1, layout_->behind);
    }

    void joinThree(const std::string& block, const std::string& own, const Join& join,
                   std::map<std::string, Tensor, std::less<>>& parts) {
        std::vector<Tensor> three;
        std::vector<std::string> held;
        for (const std::string_view name : join.from) {
            const auto found = parts.find(name);
            if (found == parts.end()) continue;
            if (join.change == Change::IntoHeads && found->second.dim() == 3) heads_ = found->second.size(1);
            const std::string whole = written(own + std::string(name));
            held.push_back(whole + " of shape " + sizesText(found->second.sizes()));
            three.push_back(changed(found->second, join.change, whole));
            parts.erase(found);
        }
        // What is missing is said later, by the name of the whole.
        if (three.size() < 3) return;
        for (std::size_t k = 0; k < three.size(); ++k) {
            if (three[k].dim() == 0)
                refuse("hold " + held[k] + ", where an extent is needed", "Download or make the file again.");
            if (three[k].sizes() != three[0].sizes())
                refuse("hold " + held[0] + " but " + held[k], "Download or make the file again.");
        }
        put(block + std::string(join.to), at::cat(three));
    }

    /// What the names say beyond the tensors, unless the file itself says it.
    void describe() {
        const bool clip = layout_->clip ||
                          std::ranges::find(out_.tensors, "norm_pre.weight", &NamedTensor::name) != out_.tensors.end();
        if (clip && !layout_->clip) out_.layout = "CLIP (timm)";
        nlohmann::json vit = nlohmann::json::object();
        if (clip) vit["quick_gelu"] = true;
        if (const double epsilon = clip ? 1e-5 : layout_->epsilon; epsilon != 1e-6) vit["norm_epsilon"] = epsilon;
        if (heads_ > 0) vit["num_heads"] = heads_;
        const auto said = out_.metadata.find("vit");
        const nlohmann::json own =
            said == out_.metadata.end() ? nlohmann::json() : nlohmann::json::parse(said->second, nullptr, false);
        if (own.is_object()) {
            // Nothing nested is ever read, and copying it could go as deep as the file likes.
            for (const auto& [key, value] : own.items())
                if (value.is_primitive()) vit[key] = value;
        } else if (clip) {
            out_.notes.push_back(
                "The file does not show CLIP's activation: quick GELU is taken, as OpenAI trained it; networks "
                "that LAION trained with GELU need backbone.activation = gelu.");
        }
        if (!vit.empty()) out_.metadata["vit"] = vit.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        noteLeftOut();
    }

    void noteLeftOut() {
        std::set<std::string> parts;
        for (const auto& [name, tensor] : given_)
            parts.insert(name.substr(0, name.find_first_of("./", name.starts_with(prefix_) ? prefix_.size() : 0)));
        if (parts.empty()) return;
        constexpr std::size_t kNamed = 6;
        std::string text;
        std::size_t count = 0;
        for (const std::string& part : parts)
            if (++count <= kNamed) text += (count == 1 ? "" : ", ") + part;
        if (count > kNamed) text += " and " + std::to_string(count - kNamed) + " more";
        out_.notes.push_back("Left out, as features do not need it: " + text + ".");
    }

    const TensorFile& file_;
    std::map<std::string, Tensor> given_;  // what has not been used yet
    std::map<std::string, std::string> written_;  // names without what trainers wrap around, and as they stand there
    const Layout* layout_ = nullptr;
    std::string_view prefix_;
    std::int64_t heads_ = 0;
    NamedWeights out_;
};

}  // namespace

NamedWeights withTimmNames(const TensorFile& file) {
    return Renamer(file).read();
}

}  // namespace palimpsest
