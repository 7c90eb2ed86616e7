# SPDX-License-Identifier: GPL-3.0-or-later
# Writes reference.safetensors beside itself: closed forms and updates by their published equations, in float64 and by
# other ways than the engine's (least squares by QR, singular values, samples instead of sums). Run with numpy 1.24 and
# torch 1.13 (CPU).
import math
import pathlib
import sys

import numpy as np
import torch
from torch.nn import functional as F

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import safetensors_file

random = np.random.default_rng(11)
tensors = {}


def keep(name, value):
    tensors[name] = np.ascontiguousarray(value.detach().numpy() if isinstance(value, torch.Tensor) else value)


def one_hot(units, classes):
    return np.eye(classes)[units]


# Closed forms -----------------------------------------------------------------------------------------------------

RIDGES = [10.0 ** k for k in range(-4, 10)]  # the grid


def ridge(phi, y, strength):
    """argmin |phi W - y|^2 + strength |W|^2, as least squares with further rows."""
    rows = np.vstack([phi, math.sqrt(strength) * np.eye(phi.shape[1])])
    return np.linalg.lstsq(rows, np.vstack([y, np.zeros((phi.shape[1], y.shape[1]))]), rcond=None)[0]


def samples(counts, width, scale=1.0):
    """Float32 features of classes with so many samples each, in mixed order."""
    means = random.normal(size=(len(counts), width)) * 1.5
    units = random.permutation(np.repeat(np.arange(len(counts)), counts))
    return (scale * (means[units] + random.normal(size=(len(units), width)))).astype(np.float32), units


def gcv(phi, y, strengths):
    """Golub, Heath and Wahba (1979), from singular values."""
    u, s, _ = np.linalg.svd(phi, full_matrices=False)
    n, scores = len(phi), []
    for strength in strengths:
        share = s**2 / (s**2 + strength)
        residual = np.sum((y - u @ (share[:, None] * (u.T @ y))) ** 2)
        scores.append((residual / n) / (1 - share.sum() / n) ** 2)
    return np.array(scores)


def within(phi, units):
    """Covariance within the classes: over the samples about the means of their classes."""
    centred = phi.astype(np.float64).copy()
    for unit in np.unique(units):
        centred[units == unit] -= centred[units == unit].mean(0)
    return centred.T @ centred / len(phi)


def pooled(phi, units, classes, strength):
    means = np.stack([phi[units == c].mean(0) if (units == c).any() else np.zeros(phi.shape[1])
                      for c in range(classes)]).astype(np.float64)
    known = len(np.unique(units))
    inner = within(phi, units) + means.T @ means / known + strength / len(phi) * np.eye(phi.shape[1])
    return np.linalg.solve(inner, means.T / known)


def oas(covariance, n):
    """Chen, Wiesel, Eldar and Hero (2010), equation 23, without the terms with 2 / p, as scikit-learn has it."""
    p = len(covariance)
    square, trace = np.trace(covariance @ covariance), np.trace(covariance)
    share = min(1.0, (square + trace**2) / ((n + 1) * (square - trace**2 / p)))
    return (1 - share) * covariance + share * trace / p * np.eye(p)


def discriminant(covariance, means):
    weight = np.linalg.solve(covariance, means.T)
    return weight, -0.5 * np.sum(means.T * weight, 0)


# Class 4 has no sample and class 3 a single one.
phi, units = samples([23, 9, 12, 1], 16, 3.0)
y = one_hot(units, 5)
keep("sums.phi", phi)
keep("sums.units", units)
keep("sums.ridge", np.stack([ridge(phi.astype(np.float64), y, r) for r in RIDGES]))
keep("sums.pooled", np.stack([pooled(phi.astype(np.float64), units, 5, r) for r in RIDGES]))
keep("sums.gcv", gcv(phi.astype(np.float64), y, RIDGES))
few, few_units = samples([5, 3, 1], 16, 3.0)
keep("few.phi", few)
keep("few.units", few_units)
keep("few.gcv", gcv(few.astype(np.float64), one_hot(few_units, 5), RIDGES))

# Prediction before learning: batches of eight, solved behind each of them.
stream, stream_units = samples([20, 14, 13], 12)
stream_units[27] = 3  # a class that comes late, once
errors, path = np.zeros(len(RIDGES)), []
for begin in range(8, len(stream), 8):
    past, old = stream[:begin].astype(np.float64), one_hot(stream_units[:begin], 5)
    batch, now = stream[begin:begin + 8].astype(np.float64), stream_units[begin:begin + 8]
    seen = np.isin(now, stream_units[:begin])
    for i, strength in enumerate(RIDGES):
        guess = batch[seen] @ ridge(past, old, strength)
        errors[i] += np.sum((guess - one_hot(now[seen], 5)) ** 2)
    path.append(errors.copy())
keep("prequential.phi", stream)
keep("prequential.units", stream_units)
keep("prequential.errors", np.stack(path))

# The linear discriminant, and means by cosine, of features as wide as the small network's.
wide, wide_units = samples([14, 8, 1], 32)
tests, _ = samples([4, 4, 4], 32)
means = np.stack([wide[wide_units == c].astype(np.float64).mean(0) for c in range(3)])
keep("wide.phi", wide)
keep("wide.units", wide_units)
keep("wide.tests", tests)
cosine = tests.astype(np.float64) @ means.T
cosine /= np.linalg.norm(tests, axis=1)[:, None] * np.linalg.norm(means, axis=1)
keep("wide.ncm", cosine)
keep("wide.ridge", tests.astype(np.float64) @ ridge(wide.astype(np.float64), one_hot(wide_units, 3), 0.5))
for name, covariance in (("oas", oas(within(wide, wide_units), len(wide))),
                         ("fixed", (1 - 1e-4) * within(wide, wide_units) + 1e-4 * np.eye(32))):
    weight, bias = discriminant(covariance, means)
    keep(f"wide.lda.{name}", tests.astype(np.float64) @ weight + bias)


# Updates ----------------------------------------------------------------------------------------------------------

SIDE, PATCH, WIDTH, DEPTH, HEADS, CLASSES = 8, 4, 8, 2, 2, 4


def network():
    """A small vision transformer by timm's names; every number differs from its usual beginning."""
    sizes = {"cls_token": (1, 1, WIDTH), "pos_embed": (1, (SIDE // PATCH) ** 2 + 1, WIDTH),
             "patch_embed.proj.weight": (WIDTH, 3, PATCH, PATCH), "patch_embed.proj.bias": (WIDTH,)}
    for i in range(DEPTH):
        block = f"blocks.{i}."
        for norm in ("norm1", "norm2"):
            sizes[block + norm + ".weight"] = sizes[block + norm + ".bias"] = (WIDTH,)
        for layer, out, into in (("attn.qkv", 3 * WIDTH, WIDTH), ("attn.proj", WIDTH, WIDTH),
                                 ("mlp.fc1", 2 * WIDTH, WIDTH), ("mlp.fc2", WIDTH, 2 * WIDTH)):
            sizes[block + layer + ".weight"], sizes[block + layer + ".bias"] = (out, into), (out,)
    sizes["norm.weight"] = sizes["norm.bias"] = (WIDTH,)
    result = {}
    for name, size in sizes.items():
        value = 0.4 * random.normal(size=size) + (1 if ".weight" in name and "norm" in name else 0)
        result[name] = torch.from_numpy(value.astype(np.float32)).double()
    return result


def feature(net, images, changes=None):
    """Class token after all blocks and the final LayerNorm. changes[i]: matrices added to those of the queries and of
    the values of block i."""
    x = F.conv2d(images, net["patch_embed.proj.weight"], net["patch_embed.proj.bias"], stride=PATCH)
    x = x.flatten(2).transpose(1, 2)
    x = torch.cat([net["cls_token"].expand(len(x), -1, -1), x], 1) + net["pos_embed"]

    def norm(name, value):
        return F.layer_norm(value, (WIDTH,), net[name + ".weight"], net[name + ".bias"], 1e-6)

    def linear(name, value):
        return F.linear(value, net[name + ".weight"], net[name + ".bias"])

    for i in range(DEPTH):
        block = f"blocks.{i}."
        inner = norm(block + "norm1", x)
        q, k, v = linear(block + "attn.qkv", inner).chunk(3, 2)
        if changes is not None:
            q = q + F.linear(inner, changes[i][0])
            v = v + F.linear(inner, changes[i][1])
        q, k, v = (part.unflatten(2, (HEADS, WIDTH // HEADS)).transpose(1, 2) for part in (q, k, v))
        weights = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(WIDTH // HEADS), -1)
        x = x + linear(block + "attn.proj", (weights @ v).transpose(1, 2).flatten(2))
        x = x + linear(block + "mlp.fc2", F.gelu(linear(block + "mlp.fc1", norm(block + "norm2", x))))
    return norm("norm", x)[:, 0]


def noise(count, random=random):
    return torch.from_numpy(random.normal(size=(count, 3, SIDE, SIDE)).astype(np.float32)).double()


def head(random=random):
    return (torch.from_numpy((0.5 * random.normal(size=(CLASSES, WIDTH))).astype(np.float32)).double(),
            torch.zeros(CLASSES, dtype=torch.float64))


net = network()
for name, value in net.items():
    keep("network." + name, value.float())

RANK, RATE, STRENGTH, HARD, WINDOW, MEAN, DECAY, BATCHES, SEED = 1, 0.25, 8.0, 2, 2, 19.0, 0.8, 16, 8


def online_lora(name, published, highest, images, units):
    """Online-LoRA (Wei et al., WACV 2025), with `highest` as the limit of the variance. `published`: as its code has
    it, with whole batches in the buffer, whose losses are counted from the batch on while the batches are counted from
    the first entry on, with the loss of all in the window, with importance of what the buffer was before the batch
    came, of its first entry alone, and with factors added to factors. Otherwise as this program reads the paper."""
    random = np.random.default_rng(SEED)
    weight, bias = (part.requires_grad_(True) for part in head(random))
    keep(name + ".head", weight.float())

    def fresh():
        a = random.uniform(-1, 1, size=(DEPTH, 2, RANK, WIDTH)) / math.sqrt(WIDTH)
        a = torch.from_numpy(a.astype(np.float32)).double().requires_grad_(True)
        return a, torch.zeros(DEPTH, 2, WIDTH, RANK, dtype=torch.float64, requires_grad=True)

    (a, b), starts = fresh(), []
    starts.append(a.detach().clone())
    kept_a = torch.zeros(DEPTH, 2, RANK, WIDTH, dtype=torch.float64)
    kept_b, kept = torch.zeros(DEPTH, 2, WIDTH, RANK, dtype=torch.float64), torch.zeros(DEPTH, 2, WIDTH, WIDTH).double()
    average, omega, buffer, window, armed, found = weight.detach().clone(), None, [], [], True, []
    losses, plateaus = [], []

    def logits(shown):
        whole = b @ a + (kept_b @ kept_a if published else kept)
        return F.linear(feature(net, shown, whole), weight, bias)

    def cross(shown, of):
        return F.cross_entropy(logits(shown), of)

    for step in range(BATCHES):
        x, y = images[step], units[step]
        own = F.cross_entropy(logits(x), y, reduction="none")
        hard = [cross(entry[1], entry[2]) for entry in buffer]
        loss, penalty = own.mean() + sum(hard), torch.zeros(()).double()
        if omega is not None:
            penalty = STRENGTH / 2 * ((omega[0] * a**2).sum() + (omega[1] * b**2).sum())
        learning = [a, b, weight, bias]
        gradients = torch.autograd.grad(loss + penalty, learning)
        before = loss.item() if published else own.mean().item()
        losses.append([own.mean().item(), sum(each.item() for each in hard), penalty.item()])
        with torch.no_grad():
            for part, gradient in zip(learning, gradients):
                part -= RATE * gradient
            average = DECAY * average + (1 - DECAY) * weight

        def remember():
            if published:
                told = [own.mean().item()] + [each.item() for each in hard]
                entries = [entry[1:] for entry in buffer] + [(x, y)]
                all_entries = [(one,) + entry for one, entry in zip(told, entries)]
            else:
                all_entries = [(each.item(),) + entry[1:] for each, entry in zip(hard, buffer)]
                all_entries += [(own[i].item(), x[i:i + 1], y[i:i + 1]) for i in range(len(x))]
            buffer[:] = sorted(all_entries, key=lambda entry: -entry[0])[:HARD]

        if not published:
            remember()
        window = (window + [before])[-WINDOW:]
        mean, variance = np.mean(window), np.var(window)
        if not armed:
            armed = mean > found[-1][0] + math.sqrt(found[-1][1])
        if len(window) == WINDOW and mean < MEAN and variance < highest and armed:
            armed = False
            found.append((mean, variance))
            plateaus.append([step, mean, variance])
            squares = [torch.zeros_like(a), torch.zeros_like(b)]
            for entry in buffer[:1] if published else buffer:
                z = logits(entry[1])
                if published:
                    z = z.reshape(1, -1)
                gradients = torch.autograd.grad(F.cross_entropy(z, z.argmax(1)), [a, b])
                squares = [square + gradient**2 for square, gradient in zip(squares, gradients)]
            share = 1 / len(found)
            old = omega if omega is not None else [torch.zeros_like(square) for square in squares]
            omega = [share * square + (1 - share) * before for square, before in zip(squares, old)]
            with torch.no_grad():
                kept_a, kept_b, kept = kept_a + a, kept_b + b, kept + b @ a
            a, b = fresh()
            starts.append(a.detach().clone())
        if published:
            remember()
    assert len(plateaus) >= 3, plateaus
    keep(name + ".starts", torch.stack(starts).float())
    keep(name + ".losses", np.array(losses))
    keep(name + ".plateaus", np.array(plateaus))
    keep(name + ".a", a)
    keep(name + ".b", b)
    keep(name + ".weight", weight)
    keep(name + ".average", average)
    keep(name + ".omega.a", omega[0])
    keep(name + ".omega.b", omega[1])
    probe = noise(3, random)
    keep(name + ".probe", probe.float())
    keep(name + ".logits", logits(probe))


lora_images = noise(3 * BATCHES).unflatten(0, (BATCHES, 3))[torch.arange(BATCHES) // 3 * 3]
# Each batch comes three times: the loss falls, and rises with the next one.
lora_units = torch.tensor([[0, 0, 1], [2, 1, 0], [1, 3, 3], [0, 2, 2], [3, 1, 0], [2, 2, 3]])
lora_units = lora_units[torch.arange(BATCHES) // 3]
keep("lora.images", lora_images.float())
keep("lora.units", lora_units)
online_lora("lora.read", False, 0.4, lora_images, lora_units)
online_lora("lora.published", True, 0.05, lora_images, lora_units)

# EWC-DR's importance in EWC++: both sessions of three updates of two steps each; three classes, then four.
EWC_RATE, EWC_STRENGTH = 0.02, 5000.0
ewc_images = noise(12).unflatten(0, (6, 2))
ewc_units = torch.tensor([[0, 1], [2, 0], [1, 2], [3, 3], [0, 3], [3, 1]])
keep("ewc.images", ewc_images.float())
keep("ewc.units", ewc_units)
tuned = {name: value.clone().requires_grad_(True) for name, value in net.items()}
ewc_head = [(0.05 * part).requires_grad_(True) for part in head()]
keep("ewc.head", ewc_head[0].float())
learning = list(tuned.values()) + ewc_head
fisher, importance, anchor, known = None, None, None, 0
for session, seen in ((0, 3), (1, 4)):
    for step in range(3 * session, 3 * session + 3):
        x, y = ewc_images[step], ewc_units[step]
        for second in (False, True):
            z = F.linear(feature(tuned, x), *ewc_head)
            # The loss sees the classes of the batch, importance all that have come.
            shown = torch.full((CLASSES,), -math.inf).double().index_fill(0, y, 0)
            loss = F.cross_entropy(z + shown, y)
            if second and importance is not None:
                loss = loss + EWC_STRENGTH * sum((w * (p - c) ** 2).sum()
                                                 for w, p, c in zip(importance, tuned.values(), anchor))
            if second:
                negated = torch.autograd.grad(F.cross_entropy(-z[:, :seen], y), list(tuned.values()), retain_graph=True)
                squares = [gradient**2 for gradient in negated]
                fisher = squares if fisher is None else [(f + s) / 2 for f, s in zip(fisher, squares)]
            gradients = torch.autograd.grad(loss, learning)
            with torch.no_grad():
                for part, gradient in zip(learning, gradients):
                    part -= EWC_RATE * gradient
    alpha = known / seen
    fresh = [(1 - alpha) * f.clamp(max=1e-4) for f in fisher]
    importance = fresh if importance is None else [alpha * w + f for w, f in zip(importance, fresh)]
    anchor, known = [p.detach().clone() for p in tuned.values()], seen
for name, w, c in zip(tuned, importance, anchor):
    keep("ewc.importance." + name, w)
    keep("ewc.anchor." + name, c)

safetensors_file.write(pathlib.Path(__file__).with_name("reference.safetensors"), tensors,
                       "make_reference.py: numpy 1.24, torch 1.13")
