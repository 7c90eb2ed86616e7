# SPDX-License-Identifier: GPL-3.0-or-later
# Writes small random networks under the names of other programs beside itself, and features.safetensors with what they
# make of two images: computed in float64 as their makers describe them, part by part, and not as the engine does it.
# Sources: Dosovitskiy et al., ICLR 2021; Touvron et al., DeiT, ICML 2021, and CaiT, ICCV 2021 (layer scale); He et al.,
# MAE, CVPR 2022; Oquab et al., DINOv2, 2023; Darcet et al., registers, ICLR 2024; Zhai et al., SigLIP, ICCV 2023.
# Run with numpy 1.24 and torch 1.13 (CPU).
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional as F

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import safetensors_file

WIDTH, DEPTH, HEADS, PATCH, SIDE, RATIO = 8, 2, 2, 4, 12, 2
PATCHES = (SIDE // PATCH) ** 2
MADE_BY = "tests/data/backbones/make_backbones.py"

random = np.random.default_rng(23)
images = np.sin(0.7 * np.arange(2 * 3 * SIDE * SIDE)).reshape(2, 3, SIDE, SIDE).astype(np.float32)
features = {"images": images}


def draw(*shape, scale=0.6):
    return random.uniform(-scale, scale, shape).astype(np.float32)


def network(position_rows, class_token=True, extra=None, layer_scale=False, norm="norm", pool=False):
    """Parameters under timm's names."""
    p = {}
    if class_token:
        p["cls_token"] = draw(1, 1, WIDTH)
    if extra:
        name, count = extra
        p[name] = draw(1, count, WIDTH)
    p["pos_embed"] = draw(1, position_rows, WIDTH)
    p["patch_embed.proj.weight"] = draw(WIDTH, 3, PATCH, PATCH, scale=0.3)
    p["patch_embed.proj.bias"] = draw(WIDTH)

    def linear(name, outputs, inputs):
        p[name + ".weight"] = draw(outputs, inputs)
        p[name + ".bias"] = draw(outputs)

    def layer_norm(name):
        p[name + ".weight"] = 1 + draw(WIDTH)
        p[name + ".bias"] = draw(WIDTH)

    for i in range(DEPTH):
        b = f"blocks.{i}."
        layer_norm(b + "norm1")
        linear(b + "attn.qkv", 3 * WIDTH, WIDTH)
        linear(b + "attn.proj", WIDTH, WIDTH)
        layer_norm(b + "norm2")
        linear(b + "mlp.fc1", RATIO * WIDTH, WIDTH)
        linear(b + "mlp.fc2", WIDTH, RATIO * WIDTH)
        if layer_scale:
            p[b + "ls1.gamma"] = draw(WIDTH)
            p[b + "ls2.gamma"] = draw(WIDTH)
    layer_norm(norm)
    if pool:
        p["attn_pool.latent"] = draw(1, 1, WIDTH)
        linear("attn_pool.q", WIDTH, WIDTH)
        linear("attn_pool.kv", 2 * WIDTH, WIDTH)
        linear("attn_pool.proj", WIDTH, WIDTH)
        layer_norm("attn_pool.norm")
        linear("attn_pool.mlp.fc1", RATIO * WIDTH, WIDTH)
        linear("attn_pool.mlp.fc2", WIDTH, RATIO * WIDTH)
    return p


class Pass:
    """One pass through a network, in float64."""

    def __init__(self, parameters, epsilon, tanh=False):
        self.p = {name: torch.from_numpy(value).double() for name, value in parameters.items()}
        self.epsilon, self.tanh = epsilon, tanh

    def linear(self, name, x):
        return x @ self.p[name + ".weight"].T + self.p[name + ".bias"]

    def norm(self, name, x):
        mean = x.mean(-1, keepdim=True)
        variance = ((x - mean) ** 2).mean(-1, keepdim=True)
        return (x - mean) / torch.sqrt(variance + self.epsilon) * self.p[name + ".weight"] + self.p[name + ".bias"]

    def gelu(self, x):
        if self.tanh:
            return 0.5 * x * (1 + torch.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))
        return 0.5 * x * (1 + torch.erf(x / np.sqrt(2)))

    @staticmethod
    def attend(q, k, v):
        """Head by head."""
        size, out = WIDTH // HEADS, []
        for h in range(HEADS):
            at = slice(h * size, (h + 1) * size)
            shares = torch.softmax(q[..., at] @ k[..., at].transpose(-1, -2) / np.sqrt(size), -1)
            out.append(shares @ v[..., at])
        return torch.cat(out, -1)

    def patches(self):
        x = F.conv2d(torch.from_numpy(images).double(), self.p["patch_embed.proj.weight"],
                     self.p["patch_embed.proj.bias"], stride=PATCH)
        return x.flatten(2).transpose(1, 2)

    def whole(self, name):
        return self.p[name].expand(len(images), -1, -1)

    def blocks(self, x):
        for i in range(DEPTH):
            b = f"blocks.{i}."
            q, k, v = self.linear(b + "attn.qkv", self.norm(b + "norm1", x)).chunk(3, -1)
            branch = self.linear(b + "attn.proj", self.attend(q, k, v))
            x = x + self.p.get(b + "ls1.gamma", 1) * branch
            branch = self.linear(b + "mlp.fc2", self.gelu(self.linear(b + "mlp.fc1", self.norm(b + "norm2", x))))
            x = x + self.p.get(b + "ls2.gamma", 1) * branch
        return x

    def pooled(self, x):
        q = self.linear("attn_pool.q", self.whole("attn_pool.latent"))
        k, v = self.linear("attn_pool.kv", x).chunk(2, -1)
        x = self.linear("attn_pool.proj", self.attend(q, k, v))
        inner = self.gelu(self.linear("attn_pool.mlp.fc1", self.norm("attn_pool.norm", x)))
        return (x + self.linear("attn_pool.mlp.fc2", inner))[:, 0]


def keep(name, feature, files):
    features[name] = feature.numpy()
    safetensors_file.write(HERE / f"{name}.safetensors", files, MADE_BY)


def apart(parameters, names, parts):
    """Renamed, with query, key and value in tensors of their own."""
    out = {}
    for name, value in parameters.items():
        joined = name.find("attn.qkv") if name.startswith("blocks.") else -1
        if joined < 0:
            for ours, theirs in names:
                name = name.replace(ours, theirs)
            out[name] = value
            continue
        for k, part in enumerate(parts):
            theirs = name.replace("attn.qkv", part)
            for ours, other in names:
                theirs = theirs.replace(ours, other)
            out[theirs] = np.ascontiguousarray(value[k * WIDTH:(k + 1) * WIDTH])
    return out


HF_PARTS = ["attention.attention.query", "attention.attention.key", "attention.attention.value"]
HF_OUTSIDE = [("cls_token", "embeddings.cls_token"), ("pos_embed", "embeddings.position_embeddings"),
              ("patch_embed.proj", "embeddings.patch_embeddings.projection"), ("blocks.", "encoder.layer."),
              ("attn.proj", "attention.output.dense")]
HF_VIT = HF_OUTSIDE + [("norm1", "layernorm_before"), ("norm2", "layernorm_after"),
                       ("mlp.fc1", "intermediate.dense"), ("mlp.fc2", "output.dense")]


def last_norm(parameters, prefix):
    return {prefix + (name.replace("norm.", "layernorm.") if name.startswith("norm.") else name): value
            for name, value in parameters.items()}


# DINOv2: layer scale; with registers, which have no position, behind the class token ------------------------------


def dinov2(parameters, registers, class_position):
    n = Pass(parameters, 1e-6)
    table, patches = n.whole("pos_embed"), n.patches()
    tokens = [n.whole("cls_token") + (table[:, :1] if class_position else 0)]
    if registers:
        tokens.append(n.whole(registers))
    tokens.append(patches + table[:, -PATCHES:])
    return n.norm("norm", n.blocks(torch.cat(tokens, 1)))[:, 0]


p = network(PATCHES + 1, layer_scale=True)
keep("dinov2", dinov2(p, None, True), p | {"mask_token": draw(1, WIDTH)})
p = network(PATCHES + 1, extra=("register_tokens", 3), layer_scale=True)
keep("dinov2-registers", dinov2(p, "register_tokens", True), p | {"mask_token": draw(1, WIDTH)})
p = network(PATCHES, extra=("reg_token", 4), layer_scale=True)
keep("dinov2-registers-timm", dinov2(p, "reg_token", False), p)
p = network(PATCHES + 1, extra=("register_tokens", 3), layer_scale=True)
named = apart(p, HF_OUTSIDE + [("register_tokens", "embeddings.register_tokens"),
                               ("ls1.gamma", "layer_scale1.lambda1"), ("ls2.gamma", "layer_scale2.lambda1")], HF_PARTS)
keep("dinov2-registers-hf", dinov2(p, "register_tokens", True), last_norm(named, "dinov2_with_registers."))

# Distilled DeiT: a second token with a position of its own; the feature is the mean of both ------------------------


def distilled(parameters, epsilon):
    n = Pass(parameters, epsilon)
    tokens = torch.cat([n.whole("cls_token"), n.whole("dist_token"), n.patches()], 1) + n.whole("pos_embed")
    out = n.norm("norm", n.blocks(tokens))
    return (out[:, 0] + out[:, 1]) / 2


p = network(PATCHES + 2, extra=("dist_token", 1))
keep("deit-distilled", distilled(p, 1e-6),
     p | {f"{head}.{part}": draw(*shape) for head in ("head", "head_dist")
          for part, shape in (("weight", (5, WIDTH)), ("bias", (5,)))})
p = network(PATCHES + 2, extra=("dist_token", 1))
named = apart(p, HF_VIT + [("dist_token", "embeddings.distillation_token")], HF_PARTS)
keep("deit-distilled-hf", distilled(p, 1e-12), last_norm(named, "deit."))

# MAE: a plain network; as it is fine-tuned, the mean of the patches, under a LayerNorm of its own ------------------


def plain(parameters, epsilon):
    n = Pass(parameters, epsilon)
    return n.blocks(torch.cat([n.whole("cls_token"), n.patches()], 1) + n.whole("pos_embed")), n


p = network(PATCHES + 1)
tokens, n = plain(p, 1e-6)
keep("mae", n.norm("norm", tokens)[:, 0],
     p | {"mask_token": draw(1, 1, WIDTH), "decoder_embed.weight": draw(4, WIDTH),
          "decoder_blocks.0.attn.qkv.weight": draw(12, 4)})
p = network(PATCHES + 1)
tokens, n = plain(p, 1e-12)
named = last_norm(apart(p, HF_VIT, HF_PARTS), "vit.")
keep("mae-hf", n.norm("norm", tokens)[:, 0], named | {"decoder.mask_token": draw(1, 1, 4)})
p = network(PATCHES + 1, norm="fc_norm")
tokens, n = plain(p, 1e-6)
keep("mae-mean", n.norm("fc_norm", tokens[:, 1:].mean(1)), p)

# SigLIP: no class token, GELU by tanh; a learned query attends to the patches, or their mean is taken --------------


def siglip(parameters):
    n = Pass(parameters, 1e-6, tanh=True)
    return n.pooled(n.norm("norm", n.blocks(n.patches() + n.whole("pos_embed"))))


p = network(PATCHES, class_token=False, pool=True)
keep("siglip", siglip(p), p)
p = network(PATCHES, class_token=False, pool=True)
named = apart({name: value for name, value in p.items() if not name.startswith("attn_pool.")},
              [("patch_embed.proj", "embeddings.patch_embedding"), ("blocks.", "encoder.layers."),
               ("norm1", "layer_norm1"), ("norm2", "layer_norm2"), ("attn.proj", "self_attn.out_proj")],
              ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"])
named = {name.replace("norm.", "post_layernorm.") if name.startswith("norm.") else name: value
         for name, value in named.items()}
named["embeddings.position_embedding.weight"] = named.pop("pos_embed")[0]
named["head.probe"] = p["attn_pool.latent"]
for part in ("weight", "bias"):
    named["head.attention.in_proj_" + part] = np.concatenate([p["attn_pool.q." + part], p["attn_pool.kv." + part]])
    for ours, theirs in (("proj", "attention.out_proj"), ("norm", "layernorm"), ("mlp.fc1", "mlp.fc1"),
                         ("mlp.fc2", "mlp.fc2")):
        named[f"head.{theirs}.{part}"] = p[f"attn_pool.{ours}.{part}"]
keep("siglip-hf", siglip(p), {"vision_model." + name: value for name, value in named.items()}
     | {"text_model.embeddings.token_embedding.weight": draw(9, 4), "logit_scale": draw(1)})
p = network(PATCHES, class_token=False)
n = Pass(p, 1e-6)
keep("mean-of-patches", n.norm("norm", n.blocks(n.patches() + n.whole("pos_embed"))).mean(1), p)

safetensors_file.write(HERE / "features.safetensors", features, MADE_BY)
