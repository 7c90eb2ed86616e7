// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/frozen_vit.h"

// Vectors whose length is known only at run time cannot stand in the arrays of a tile.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
// This file is compiled once for each set of vector instructions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/frozen_vit.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "engine/kernels/attention-inl.h"
#include "engine/kernels/frozen_vit_network.h"
#include "engine/kernels/vector_math-inl.h"

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace palimpsest {
namespace HWY_NAMESPACE {
namespace {

static_assert(hn::MaxLanes(kLanes) <= kPad);

/// A row's mean and the deviation's inverse are taken over the D numbers of it that count; rows are padded with zeros.
HWY_INLINE float sumOf(const float* row, std::size_t count) {
    const std::size_t lanes = hn::Lanes(kLanes);
    auto sum = hn::Zero(kLanes);
    for (std::size_t i = 0; i < count; i += lanes) sum = hn::Add(sum, hn::LoadU(kLanes, row + i));
    return hn::GetLane(hn::SumOfLanes(kLanes, sum));
}

/// Rows of x minus their mean, divided by their deviation; what lies beyond `width` becomes 0.
void normalise(const float* x, std::size_t rows, std::size_t width, std::size_t row, float epsilon, float* hat,
               float* inverse) {
    const std::size_t lanes = hn::Lanes(kLanes);
    const float share = 1.0f / static_cast<float>(width);
    for (std::size_t i = 0; i < rows; ++i, x += row, hat += row) {
        const auto mean = hn::Set(kLanes, sumOf(x, row) * share);
        auto squares = hn::Zero(kLanes);
        for (std::size_t j = 0; j < row; j += lanes) {
            auto centred = hn::Sub(hn::LoadU(kLanes, x + j), mean);
            if (j + lanes > width)
                centred = j < width ? hn::IfThenElseZero(hn::FirstN(kLanes, width - j), centred) : hn::Zero(kLanes);
            hn::StoreU(centred, kLanes, hat + j);
            squares = hn::MulAdd(centred, centred, squares);
        }
        const float variance = hn::GetLane(hn::SumOfLanes(kLanes, squares)) * share;
        inverse[i] = 1.0f / std::sqrt(variance + epsilon);
        const auto scale = hn::Set(kLanes, inverse[i]);
        for (std::size_t j = 0; j < row; j += lanes)
            hn::StoreU(hn::Mul(hn::LoadU(kLanes, hat + j), scale), kLanes, hat + j);
    }
}

/// x += inverse (g - mean(g) - hat mean(g hat)): the gradient through normalise().
void addNormGradient(const float* gradient, const float* hat, const float* inverse, std::size_t rows, std::size_t width,
                     std::size_t row, float* x, std::size_t xRow) {
    const std::size_t lanes = hn::Lanes(kLanes);
    const float share = 1.0f / static_cast<float>(width);
    for (std::size_t i = 0; i < rows; ++i, gradient += row, hat += row, x += xRow) {
        const auto mean = hn::Set(kLanes, sumOf(gradient, row) * share);
        const auto along = hn::Set(kLanes, dot(gradient, hat, row) * share);
        const auto scale = hn::Set(kLanes, inverse[i]);
        for (std::size_t j = 0; j < row; j += lanes) {
            auto part = hn::Sub(hn::LoadU(kLanes, gradient + j), mean);
            part = hn::NegMulAdd(along, hn::LoadU(kLanes, hat + j), part);
            if (j + lanes > width)
                part = j < width ? hn::IfThenElseZero(hn::FirstN(kLanes, width - j), part) : hn::Zero(kLanes);
            hn::StoreU(hn::MulAdd(scale, part, hn::LoadU(kLanes, x + j)), kLanes, x + j);
        }
    }
}

/// The activation in place, and its slope where it is wanted.
template <bool kQuick>
void activate(float* hidden, std::size_t count, float* slopes) {
    const std::size_t lanes = hn::Lanes(kLanes);
    for (std::size_t i = 0; i < count; i += lanes) {
        Floats slope;
        const auto x = hn::LoadU(kLanes, hidden + i);
        hn::StoreU(kQuick ? quickGelu(x, slope) : gelu(x, slope), kLanes, hidden + i);
        if (slopes) hn::StoreU(slope, kLanes, slopes + i);
    }
}

void multiply(float* values, const float* factors, std::size_t count) {
    const std::size_t lanes = hn::Lanes(kLanes);
    for (std::size_t i = 0; i < count; i += lanes)
        hn::StoreU(hn::Mul(hn::LoadU(kLanes, values + i), hn::LoadU(kLanes, factors + i)), kLanes, values + i);
}

void addRows(const float* in, std::size_t inRow, std::size_t rows, std::size_t width, float* out, std::size_t outRow) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < width; ++j) out[i * outRow + j] += in[i * inRow + j];
}

void times(std::size_t rows, const float* a, std::size_t aRow, const PackedMatrix& b, float* c, std::size_t cRow,
           Into into) {
    if (!b.tiles.empty()) return b.tiles.multiply(rows, a, aRow, c, cRow, b.bias.get(), into == Into::Added);
    const std::size_t width = panelWidth();
    product(rows, b.columns, b.depth, {a, aRow}, {b.data.get(), width, b.depth * width}, c, cRow, b.bias.get(), into);
}

std::size_t tileWidth() {
    return panelWidth();
}

void patchRows(const NetworkSizes& n, const float* image, float* out) {
    const std::size_t side = n.imageSize / n.patch;
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x, out += n.patchRow)
            for (std::size_t c = 0, at = 0; c < n.channels; ++c)
                for (std::size_t v = 0; v < n.patch; ++v)
                    for (std::size_t u = 0; u < n.patch; ++u, ++at)
                        out[at] = image[(c * n.imageSize + y * n.patch + v) * n.imageSize + x * n.patch + u];
}

/// Rows of nine neighbours, each with its channels, of the pixels [first, first + count) of a layer's output.
void neighbourRows(const StemSizes& s, const float* map, std::size_t first, std::size_t count, float* out) {
    const std::size_t outSide = s.outSide(), row = padded(9 * s.inputs);
    for (std::size_t i = 0; i < count; ++i, out += row) {
        const std::size_t y = (first + i) / outSide * s.step, x = (first + i) % outSide * s.step;
        float* to = out;
        // One more than the place, so that the margin before 0 needs no sign.
        for (std::size_t v = y; v < y + 3; ++v)
            for (std::size_t u = x; u < x + 3; ++u, to += s.inputs) {
                if (v < 1 || u < 1 || v > s.side || u > s.side)
                    std::fill_n(to, s.inputs, 0.0f);
                else
                    std::copy_n(map + ((v - 1) * s.side + u - 1) * s.inputs, s.inputs, to);
            }
    }
}

/// The map [mapSide, mapSide, mapChannels] of one image.
const float* stemMap(const FrozenNetwork& net, const float* image, const GroupBuffers& b) {
    const NetworkSizes& n = net.sizes;
    const std::size_t pixels = n.imageSize * n.imageSize, lanes = hn::Lanes(kLanes);
    float *map = b.map, *next = b.nextMap;
    for (std::size_t c = 0; c < n.channels; ++c)
        for (std::size_t p = 0; p < pixels; ++p) map[p * n.channels + c] = image[c * pixels + p];
    for (std::size_t i = 0; i < n.stem.size(); ++i) {
        const StemSizes& s = n.stem[i];
        const std::size_t places = s.outSide() * s.outSide();
        if (s.adds) std::copy_n(map, places * s.outputs, next);
        for (std::size_t first = 0; first < places; first += kStemRows) {
            const std::size_t count = std::min(kStemRows, places - first);
            neighbourRows(s, map, first, count, b.neighbours);
            times(count, b.neighbours, padded(9 * s.inputs), net.stem[i], next + first * s.outputs, s.outputs,
                  s.adds ? Into::Added : Into::Replaced);
        }
        for (std::size_t j = 0; j < places * s.outputs; j += lanes)
            hn::StoreU(hn::Max(hn::LoadU(kLanes, next + j), hn::Zero(kLanes)), kLanes, next + j);
        std::swap(map, next);
    }
    return map;
}

/// Rows of a map's patches, pixel by pixel.
void mapPatchRows(const NetworkSizes& n, const float* map, float* out) {
    const std::size_t side = n.mapSide / n.patch, part = n.patch * n.mapChannels;
    for (std::size_t y = 0; y < side; ++y)
        for (std::size_t x = 0; x < side; ++x, out += n.patchRow)
            for (std::size_t v = 0; v < n.patch; ++v)
                std::copy_n(map + ((y * n.patch + v) * n.mapSide + x * n.patch) * n.mapChannels, part, out + v * part);
}

void affine(float* rows, std::size_t count, std::size_t width, std::size_t row, const NormWeights& norm) {
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < width; ++j) rows[i * row + j] = rows[i * row + j] * norm.weight[j] + norm.bias[j];
}

/// Patches, class token and positions of a group's images.
void embed(const FrozenNetwork& net, const float* images, const GroupBuffers& b, std::size_t count) {
    const NetworkSizes& n = net.sizes;
    const std::size_t imageFloats = n.channels * n.imageSize * n.imageSize;
    for (std::size_t g = 0; g < count; ++g) {
        float* x = b.x + g * n.tokens * n.row;
        if (n.stem.empty())
            patchRows(n, images + g * imageFloats, b.hidden);
        else
            mapPatchRows(n, stemMap(net, images + g * imageFloats, b), b.hidden);
        times(n.tokens - 1, b.hidden, n.patchRow, net.patch, x + n.row, n.row, Into::Replaced);
        for (std::size_t j = 0; j < n.row; ++j) x[j] = j < n.width ? net.class_token.get()[j] : 0;
        addRows(net.position.get(), n.width, n.tokens, n.width, x, n.row);
    }
    if (!net.pre_norm) return;
    const std::size_t rows = count * n.tokens;
    normalise(b.x, rows, n.width, n.row, n.epsilon, b.x, b.inverse);
    affine(b.x, rows, n.width, n.row, *net.pre_norm);
}

Attention attentionOf(const NetworkSizes& n, const float* q, std::size_t qRow, std::size_t queries, const float* kv,
                      std::size_t kvRow, const FrozenVit::Extra& extra, std::size_t image) {
    const float* others = extra.count ? extra.keys_values + image * static_cast<std::size_t>(extra.stride) : nullptr;
    return {q, kv, others, queries, n.tokens, static_cast<std::size_t>(extra.count), qRow, kvRow};
}

/// Second half of a block on rows of x: x += MLP(norm(x)).
void mlp(const FrozenNetwork& net, const PackedBlock& block, std::size_t rows, float* x, const BlockTrace& t,
         float* hidden, bool keepSlopes) {
    const NetworkSizes& n = net.sizes;
    normalise(x, rows, n.width, n.row, n.epsilon, t.hat2, t.inverse2);
    times(rows, t.hat2, n.row, block.fc1, hidden, n.hiddenRow, Into::Replaced);
    (n.quickGelu ? activate<true> : activate<false>)(hidden, rows * n.hiddenRow, keepSlopes ? t.slope : nullptr);
    times(rows, hidden, n.hiddenRow, block.fc2, x, n.row, Into::Added);
}

void forwardGroup(const FrozenNetwork& net, const float* images, std::size_t first, std::size_t count,
                  std::span<const FrozenVit::Extra> extras, float* features, float* tokens, const GroupBuffers& b,
                  bool keep) {
    const NetworkSizes& n = net.sizes;
    const std::size_t rows = count * n.tokens, last = net.blocks.size() - 1;
    const auto keepTokens = [&](const float* cls, std::size_t row, std::size_t block) {
        for (std::size_t g = 0; tokens && g < count; ++g)
            std::copy_n(cls + g * row, n.width, tokens + ((first + g) * net.blocks.size() + block) * n.width);
    };
    embed(net, images + first * n.channels * n.imageSize * n.imageSize, b, count);
    for (std::size_t i = 0; i <= last; ++i) {
        const PackedBlock& block = net.blocks[i];
        const BlockTrace& t = b.blocks[i];
        const FrozenVit::Extra extra = extras.empty() ? FrozenVit::Extra{} : extras[i];
        const std::size_t scoreRow = padded(n.tokens + static_cast<std::size_t>(extra.count));
        normalise(b.x, rows, n.width, n.row, n.epsilon, t.hat1, t.inverse1);
        if (i < last) {
            times(rows, t.hat1, n.row, block.qkv, t.qkv, n.qkvRow, Into::Replaced);
            for (std::size_t g = 0; g < count; ++g) {
                const float* qkv = t.qkv + g * n.tokens * n.qkvRow;
                attend(n, attentionOf(n, qkv, n.qkvRow, n.tokens, qkv + n.width, n.qkvRow, extra, first + g), b.head,
                       t.probabilities + (keep ? g * n.heads * n.tokens * scoreRow : 0), b.mixed + g * n.tokens * n.row,
                       n.row);
            }
            times(rows, b.mixed, n.row, block.proj, b.x, n.row, Into::Added);
            mlp(net, block, rows, b.x, t, b.hidden, keep);
            keepTokens(b.x, n.tokens * n.row, i);
            continue;
        }
        // The last block's outputs are used for the class token alone.
        times(rows, t.hat1, n.row, block.kv, t.qkv, n.kvRow, Into::Replaced);
        times(count, t.hat1, n.tokens * n.row, block.q, t.q, n.row, Into::Replaced);
        for (std::size_t g = 0; g < count; ++g) {
            attend(n,
                   attentionOf(n, t.q + g * n.row, n.row, 1, t.qkv + g * n.tokens * n.kvRow, n.kvRow, extra, first + g),
                   b.head, t.probabilities + g * n.heads * scoreRow, b.mixed + g * n.row, n.row);
            copyRows(b.x + g * n.tokens * n.row, 0, 1, n.row, b.cls + g * n.row, n.row, 1);
        }
        times(count, b.mixed, n.row, block.proj, b.cls, n.row, Into::Added);
        mlp(net, block, count, b.cls, t, b.hidden, keep);
        keepTokens(b.cls, n.row, i);
    }
    normalise(b.cls, count, n.width, n.row, n.epsilon, b.lastHat, b.lastInverse);
    for (std::size_t g = 0; g < count; ++g) {
        float* out = features + (first + g) * n.width;
        copyRows(b.lastHat + g * n.row, 0, 1, n.width, out, n.width, 1);
        affine(out, 1, n.width, n.width, net.norm);
    }
}

/// y's gradient becomes that of x where y = x + MLP(norm(x)).
void mlpBackward(const FrozenNetwork& net, const PackedBlock& block, std::size_t rows, const BlockTrace& t,
                 const GroupBuffers& b, float* gradient) {
    const NetworkSizes& n = net.sizes;
    times(rows, gradient, n.row, block.fc2Turned, b.hidden, n.hiddenRow, Into::Replaced);
    multiply(b.hidden, t.slope, rows * n.hiddenRow);
    times(rows, b.hidden, n.hiddenRow, block.fc1Turned, b.mixed, n.row, Into::Replaced);
    addNormGradient(b.mixed, t.hat2, t.inverse2, rows, n.width, n.row, gradient, n.row);
}

void backwardGroup(const FrozenNetwork& net, const float* featureGradient, std::size_t first, std::size_t count,
                   std::span<const FrozenVit::Extra> extras, std::span<float* const> gradients, std::size_t lowest,
                   const GroupBuffers& b) {
    const NetworkSizes& n = net.sizes;
    const std::size_t rows = count * n.tokens, last = net.blocks.size() - 1;
    std::fill_n(b.cls, count * n.row, 0.0f);
    std::fill_n(b.hidden, count * n.row, 0.0f);
    for (std::size_t g = 0; g < count; ++g)
        for (std::size_t j = 0; j < n.width; ++j)
            b.hidden[g * n.row + j] = featureGradient[(first + g) * n.width + j] * net.norm.weight[j];
    addNormGradient(b.hidden, b.lastHat, b.lastInverse, count, n.width, n.row, b.cls, n.row);
    // b.x: the gradient of all tokens, from the last block's input on.
    for (std::size_t i = last + 1; i-- > lowest;) {
        const PackedBlock& block = net.blocks[i];
        const BlockTrace& t = b.blocks[i];
        const FrozenVit::Extra& extra = extras[i];
        const std::size_t others = static_cast<std::size_t>(extra.count);
        const std::size_t scoreRow = padded(n.tokens + others);
        const bool below = i > lowest, top = i == last;
        const std::size_t queries = top ? 1 : n.tokens, outRows = top ? count : rows;
        const std::size_t row = top ? n.kvRow : n.qkvRow, keysAt = top ? 0 : n.width;
        float* gradient = top ? b.cls : b.x;
        mlpBackward(net, block, outRows, t, b, gradient);
        times(outRows, gradient, n.row, block.projTurned, b.mixed, n.row, Into::Replaced);
        for (std::size_t g = 0; g < count; ++g) {
            const float* own = t.qkv + g * n.tokens * row;
            const float* q = top ? t.q + g * n.row : own;
            float* wanted = gradients[i] ? gradients[i] + (first + g) * others * 2 * n.width : nullptr;
            float* ownGradient = b.qkv + g * n.tokens * row;
            float* qGradient = top ? b.q + g * n.row : ownGradient;
            attendBackward(n, attentionOf(n, q, top ? n.row : n.qkvRow, queries, own + keysAt, row, extra, first + g),
                           b.head, t.probabilities + g * n.heads * queries * scoreRow, b.mixed + g * queries * n.row,
                           n.row, below ? qGradient : nullptr, below ? ownGradient + keysAt : nullptr, wanted);
        }
        if (!below) return;
        if (!top) {
            times(rows, b.qkv, n.qkvRow, block.qkvTurned, b.mixed, n.row, Into::Replaced);
        } else {
            times(rows, b.qkv, n.kvRow, block.kvTurned, b.mixed, n.row, Into::Replaced);
            times(count, b.q, n.row, block.qTurned, b.mixed, n.tokens * n.row, Into::Added);
            std::fill_n(b.x, rows * n.row, 0.0f);
            for (std::size_t g = 0; g < count; ++g)
                copyRows(b.cls + g * n.row, 0, 1, n.row, b.x + g * n.tokens * n.row, n.row, 1);
        }
        addNormGradient(b.mixed, t.hat1, t.inverse1, rows, n.width, n.row, b.x, n.row);
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace palimpsest
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace palimpsest {

HWY_EXPORT(tileWidth);
HWY_EXPORT(forwardGroup);
HWY_EXPORT(backwardGroup);

std::size_t FrozenKernels::tileWidth() {
    return HWY_DYNAMIC_DISPATCH(tileWidth)();
}
void FrozenKernels::forward(const FrozenNetwork& net, const float* images, std::size_t first, std::size_t count,
                            std::span<const FrozenVit::Extra> extras, float* features, float* tokens,
                            const GroupBuffers& buffers, bool keep) {
    HWY_DYNAMIC_DISPATCH(forwardGroup)(net, images, first, count, extras, features, tokens, buffers, keep);
}
void FrozenKernels::backward(const FrozenNetwork& net, const float* featureGradient, std::size_t first,
                             std::size_t count, std::span<const FrozenVit::Extra> extras,
                             std::span<float* const> gradients, std::size_t lowest, const GroupBuffers& buffers) {
    HWY_DYNAMIC_DISPATCH(backwardGroup)(net, featureGradient, first, count, extras, gradients, lowest, buffers);
}
}  // namespace palimpsest
#endif
