// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/tiny_vit.h"
#include "tests/support/torch_maker.h"

namespace palimpsest::test {

/// A .npy file as NumPy writes it.
inline std::string npyOf(const std::string& type, bool fortran, const std::string& shape, const std::string& data,
                         int version = 1) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }";
    header.resize((header.size() + 1 + 63) / 64 * 64, ' ');
    header += '\n';
    return "\x93NUMPY" + littleEndian(static_cast<std::uint64_t>(version), 2) +
           littleEndian(header.size(), version == 1 ? 2 : 4) + header + data;
}

inline std::string npyOf(const Tensor& tensor, bool fortran = false) {
    std::string shape = "(";
    for (const std::int64_t size : tensor.sizes()) shape += std::to_string(size) + ", ";
    std::vector<std::int64_t> backwards;
    for (std::int64_t i = tensor.dim(); i-- > 0;) backwards.push_back(i);
    const char* type = tensor.scalar_type() == at::kHalf ? "<f2" : tensor.scalar_type() == at::kDouble ? "<f8" : "<f4";
    return npyOf(type, fortran, shape + ")", bytesOf(fortran ? tensor.permute(backwards) : tensor));
}

/// A network of two blocks in the layout of Google's code.
inline std::vector<NamedTensor> googleNames(const std::vector<NamedTensor>& weights, std::int64_t width,
                                            std::int64_t heads) {
    std::vector<NamedTensor> named;
    const auto plain = [&](const std::string& to, const Tensor& tensor) { named.push_back({to, tensor.contiguous()}); };
    const auto get = [&](const std::string& name) { return tensorOf(weights, name); };
    const std::int64_t each = width / heads;
    plain("cls", get("cls_token"));
    plain("Transformer/posembed_input/pos_embedding", get("pos_embed"));
    plain("embedding/kernel", get("patch_embed.proj.weight").permute({2, 3, 1, 0}));
    plain("embedding/bias", get("patch_embed.proj.bias"));
    plain("Transformer/encoder_norm/scale", get("norm.weight"));
    plain("Transformer/encoder_norm/bias", get("norm.bias"));
    for (int i = 0; i < 2; ++i) {
        const std::string from = "blocks." + std::to_string(i) + ".",
                          to = "Transformer/encoderblock_" + std::to_string(i) + "/";
        for (const auto& [ours, theirs] : {std::pair{"norm1", "LayerNorm_0"}, std::pair{"norm2", "LayerNorm_2"}}) {
            plain(to + theirs + "/scale", get(from + ours + ".weight"));
            plain(to + theirs + "/bias", get(from + ours + ".bias"));
        }
        const std::string attention = to + "MultiHeadDotProductAttention_1/";
        const char* parts[] = {"query", "key", "value"};
        for (std::int64_t k = 0; k < 3; ++k) {
            const Tensor weight = get(from + "attn.qkv.weight").narrow(0, k * width, width);
            plain(attention + parts[k] + "/kernel", weight.t().reshape({width, heads, each}));
            plain(attention + parts[k] + "/bias",
                  get(from + "attn.qkv.bias").narrow(0, k * width, width).reshape({heads, each}));
        }
        plain(attention + "out/kernel", get(from + "attn.proj.weight").t().reshape({heads, each, width}));
        plain(attention + "out/bias", get(from + "attn.proj.bias"));
        for (const auto& [ours, theirs] : {std::pair{"mlp.fc1", "Dense_0"}, std::pair{"mlp.fc2", "Dense_1"}}) {
            plain(to + "MlpBlock_3/" + theirs + "/kernel", get(from + ours + ".weight").t());
            plain(to + "MlpBlock_3/" + theirs + "/bias", get(from + ours + ".bias"));
        }
    }
    return named;
}

inline ZipEntries npzEntries(const std::vector<NamedTensor>& tensors, bool fortran = false) {
    ZipEntries entries;
    for (const auto& [name, tensor] : tensors) entries.emplace_back(name + ".npy", npyOf(tensor, fortran));
    return entries;
}

}  // namespace palimpsest::test
