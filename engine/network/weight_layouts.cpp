// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weight_layouts.h"

namespace palimpsest::weight_layouts {

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
                     {"pre_layrnorm.weight", "norm_pre.weight"},  // misspelt so in CLIP
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

}  // namespace palimpsest::weight_layouts
