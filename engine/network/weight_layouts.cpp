// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weight_layouts.h"

#include "engine/network/vit_shape.h"

namespace palimpsest::weight_layouts {
namespace {

/// Weight and bias of a layer.
std::vector<Rename> layer(const std::string& from, const std::string& to) {
    return {{from + ".weight", to + ".weight"}, {from + ".bias", to + ".bias"}};
}

std::vector<Rename> joined(std::initializer_list<std::vector<Rename>> parts) {
    std::vector<Rename> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

std::vector<Rename> stem() {
    std::vector<Rename> all;
    for (std::size_t i = 0; i < kMostStemLayers; ++i)
        for (const char* part : {"weight", "bias"}) all.push_back({stemName(i, part), stemName(i, part)});
    return all;
}

}  // namespace

const std::vector<Layout>& layouts() {
    static const std::vector<Layout> all = {
        {.title = "timm",
         .prefixes = {""},
         .mark = "patch_embed.proj.weight",
         .outside = joined({{{"cls_token", "cls_token"},
                             {"pos_embed", "pos_embed"},
                             {"dist_token", "dist_token"},
                             {"reg_token", "reg_token"},
                             {"register_tokens", "reg_token"},  // as DINOv2's makers call them
                             {"attn_pool.latent", "attn_pool.latent"}},
                            stem(),
                            layer("patch_embed.proj", "patch_embed.proj"),
                            layer("norm_pre", "norm_pre"),
                            layer("norm", "norm"),
                            layer("fc_norm", "fc_norm"),
                            layer("attn_pool.q", "attn_pool.q"),
                            layer("attn_pool.kv", "attn_pool.kv"),
                            layer("attn_pool.proj", "attn_pool.proj"),
                            layer("attn_pool.norm", "attn_pool.norm"),
                            layer("attn_pool.mlp.fc1", "attn_pool.mlp.fc1"),
                            layer("attn_pool.mlp.fc2", "attn_pool.mlp.fc2")}),
         .blocks = "blocks.",
         .inside = joined({layer("norm1", "norm1"),
                           layer("attn.qkv", "attn.qkv"),
                           layer("attn.proj", "attn.proj"),
                           layer("norm2", "norm2"),
                           layer("mlp.fc1", "mlp.fc1"),
                           layer("mlp.fc2", "mlp.fc2"),
                           {{"ls1.gamma", "ls1.gamma"}, {"ls2.gamma", "ls2.gamma"}}}),
         .heads = {"head_dist.bias", "head_dist.weight", "head.bias", "fc.bias", "head.weight", "fc.weight"}},
        {.title = "DINOv2 (Hugging Face)",
         .prefixes = {"dinov2.", "dinov2_with_registers.", ""},
         .mark = "encoder.layer.0.layer_scale1.lambda1",
         .outside = joined({{{"embeddings.cls_token", "cls_token"},
                             {"embeddings.position_embeddings", "pos_embed"},
                             {"embeddings.register_tokens", "reg_token"}},
                            layer("embeddings.patch_embeddings.projection", "patch_embed.proj"),
                            layer("layernorm", "norm")}),
         .blocks = "encoder.layer.",
         .inside = joined({layer("norm1", "norm1"),
                           layer("attention.output.dense", "attn.proj"),
                           layer("norm2", "norm2"),
                           layer("mlp.fc1", "mlp.fc1"),
                           layer("mlp.fc2", "mlp.fc2"),
                           {{"layer_scale1.lambda1", "ls1.gamma"}, {"layer_scale2.lambda1", "ls2.gamma"}}}),
         .joins = {{{"attention.attention.query.weight", "attention.attention.key.weight",
                     "attention.attention.value.weight"},
                    "attn.qkv.weight"},
                   {{"attention.attention.query.bias", "attention.attention.key.bias",
                     "attention.attention.value.bias"},
                    "attn.qkv.bias"}},
         .heads = {"classifier.bias", "classifier.weight"}},
        {.title = "Hugging Face",
         .prefixes = {"vit.", "deit.", ""},
         .mark = "embeddings.patch_embeddings.projection.weight",
         .outside = joined({{{"embeddings.cls_token", "cls_token"},
                             {"embeddings.position_embeddings", "pos_embed"},
                             {"embeddings.distillation_token", "dist_token"}},
                            layer("embeddings.patch_embeddings.projection", "patch_embed.proj"),
                            layer("layernorm", "norm")}),
         .blocks = "encoder.layer.",
         .inside = joined({layer("layernorm_before", "norm1"), layer("attention.output.dense", "attn.proj"),
                           layer("layernorm_after", "norm2"), layer("intermediate.dense", "mlp.fc1"),
                           layer("output.dense", "mlp.fc2")}),
         .joins = {{{"attention.attention.query.weight", "attention.attention.key.weight",
                     "attention.attention.value.weight"},
                    "attn.qkv.weight"},
                   {{"attention.attention.query.bias", "attention.attention.key.bias",
                     "attention.attention.value.bias"},
                    "attn.qkv.bias"}},
         .heads = {"distillation_classifier.bias", "distillation_classifier.weight", "classifier.bias",
                   "classifier.weight", "cls_classifier.weight", "cls_classifier.bias"},
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
         .outside = joined({{{"class_embedding", "cls_token", Change::Token},
                             {"positional_embedding", "pos_embed", Change::Table},
                             {"conv1.weight", "patch_embed.proj.weight"}},
                            layer("ln_pre", "norm_pre"),
                            layer("ln_post", "norm")}),
         .blocks = "transformer.resblocks.",
         .inside = joined({layer("ln_1", "norm1"),
                           {{"attn.in_proj_weight", "attn.qkv.weight"}, {"attn.in_proj_bias", "attn.qkv.bias"}},
                           layer("attn.out_proj", "attn.proj"),
                           layer("ln_2", "norm2"),
                           layer("mlp.c_fc", "mlp.fc1"),
                           layer("mlp.c_proj", "mlp.fc2")}),
         .epsilon = 1e-5,
         .clip = true},
        {.title = "CLIP (Hugging Face)",
         .prefixes = {"vision_model.", ""},
         .mark = "embeddings.class_embedding",
         .outside = joined({{{"embeddings.class_embedding", "cls_token", Change::Token},
                             {"embeddings.position_embedding.weight", "pos_embed", Change::Table},
                             {"embeddings.patch_embedding.weight", "patch_embed.proj.weight"}},
                            layer("pre_layrnorm", "norm_pre"),  // misspelt so in CLIP
                            layer("post_layernorm", "norm")}),
         .blocks = "encoder.layers.",
         .inside = joined({layer("layer_norm1", "norm1"), layer("self_attn.out_proj", "attn.proj"),
                           layer("layer_norm2", "norm2"), layer("mlp.fc1", "mlp.fc1"), layer("mlp.fc2", "mlp.fc2")}),
         .joins = {{{"self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight"},
                    "attn.qkv.weight"},
                   {{"self_attn.q_proj.bias", "self_attn.k_proj.bias", "self_attn.v_proj.bias"}, "attn.qkv.bias"}},
         .epsilon = 1e-5,
         .clip = true},
        {.title = "SigLIP (Hugging Face)",
         .prefixes = {"vision_model.", ""},
         .mark = "head.probe",
         .outside = joined({{{"embeddings.position_embedding.weight", "pos_embed", Change::Table},
                             {"head.probe", "attn_pool.latent"},
                             {"head.attention.in_proj_weight", "attn_pool.qkv.weight"},
                             {"head.attention.in_proj_bias", "attn_pool.qkv.bias"}},
                            layer("embeddings.patch_embedding", "patch_embed.proj"),
                            layer("post_layernorm", "norm"),
                            layer("head.attention.out_proj", "attn_pool.proj"),
                            layer("head.layernorm", "attn_pool.norm"),
                            layer("head.mlp.fc1", "attn_pool.mlp.fc1"),
                            layer("head.mlp.fc2", "attn_pool.mlp.fc2")}),
         .blocks = "encoder.layers.",
         .inside = joined({layer("layer_norm1", "norm1"), layer("self_attn.out_proj", "attn.proj"),
                           layer("layer_norm2", "norm2"), layer("mlp.fc1", "mlp.fc1"), layer("mlp.fc2", "mlp.fc2")}),
         .joins = {{{"self_attn.q_proj.weight", "self_attn.k_proj.weight", "self_attn.v_proj.weight"},
                    "attn.qkv.weight"},
                   {{"self_attn.q_proj.bias", "self_attn.k_proj.bias", "self_attn.v_proj.bias"}, "attn.qkv.bias"}},
         .tanh_gelu = true}};
    return all;
}

Parts partsOf(const Layout& layout, const std::string& prefix, const std::string& timm) {
    for (const Rename& rename : layout.outside)
        if (rename.to == timm) return {{prefix + rename.from}, rename.change};
    constexpr std::string_view kBlocks = "blocks.";
    const std::size_t dot = timm.starts_with(kBlocks) ? timm.find('.', kBlocks.size()) : std::string::npos;
    if (dot == std::string::npos) return {{timm}};
    const std::string block =
        prefix + layout.blocks + timm.substr(kBlocks.size(), dot - kBlocks.size()) + layout.behind;
    const std::string inner = timm.substr(dot + 1);
    for (const Rename& rename : layout.inside)
        if (rename.to == inner) return {{block + rename.from}, rename.change};
    for (const Join& join : layout.joins) {
        if (join.to != inner) continue;
        Parts parts{{}, join.change};
        for (const std::string& name : join.from) parts.names.push_back(block + name);
        return parts;
    }
    return {{timm}};
}

std::vector<std::int64_t> sizesInFile(const std::vector<std::int64_t>& s, Change change, std::int64_t heads) {
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
