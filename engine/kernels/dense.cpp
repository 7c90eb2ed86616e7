// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/dense.h"

// Vectors whose length is known only at run time cannot stand in the arrays of a tile.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
// This file is compiled once for each set of vector instructions.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/kernels/dense.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "engine/kernels/attention-inl.h"
#include "engine/kernels/vector_math-inl.h"

#include <algorithm>
#include <vector>

HWY_BEFORE_NAMESPACE();
namespace palimpsest {
namespace HWY_NAMESPACE {
namespace {

std::size_t factorPanelWidth() {
    return panelWidth();
}

void packPanels(const float* matrix, bool turned, std::size_t depth, std::size_t columns, std::size_t first,
                std::size_t last, float* data) {
    const std::size_t width = panelWidth();
    for (std::size_t p = first; p < last; ++p) {
        float* out = data + p * width * depth;
        const std::size_t from = p * width, count = std::min(width, columns - from);
        if (turned)
            transpose(matrix + from * depth, depth, count, depth, out, width);
        else
            copyRows(matrix + from, columns, depth, count, out, width, 1);
    }
}

void multiplyPacked(const float* x, std::size_t rows, const float* data, std::size_t depth, std::size_t columns,
                    const float* bias, float* y) {
    const std::size_t width = panelWidth();
    product(rows, columns, depth, {x, depth}, {data, width, depth * width}, y, columns, bias, Into::Replaced);
}

void weightGradientRows(const float* gradient, const float* x, std::size_t rows, std::size_t outputs,
                        std::size_t inputs, std::size_t first, std::size_t last, float* out) {
    // Both factors are packed block by block: their rows may lie a power of two apart, where caches hold few.
    constexpr std::size_t kDepth = 128, kRows = 768;
    const std::size_t width = panelWidth();
    std::vector<float> left(std::min(kRows, last - first) * kDepth), right(width * kDepth);
    for (std::size_t i = first; i < last; i += kRows) {
        const std::size_t m = std::min(kRows, last - i);
        for (std::size_t k = 0; k < rows; k += kDepth) {
            const std::size_t some = std::min(kDepth, rows - k);
            transpose(gradient + k * outputs + i, outputs, some, m, left.data(), kDepth);
            for (std::size_t j = 0; j < inputs; j += width) {
                const std::size_t columns = std::min(width, inputs - j);
                copyRows(x + k * inputs + j, inputs, some, columns, right.data(), width, 1);
                product(m, columns, some, {left.data(), kDepth}, {right.data(), width, 0}, out + i * inputs + j, inputs,
                        nullptr, k == 0 ? Into::Replaced : Into::Added);
            }
        }
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace palimpsest
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace palimpsest {

HWY_EXPORT(factorPanelWidth);
HWY_EXPORT(packPanels);
HWY_EXPORT(multiplyPacked);
HWY_EXPORT(weightGradientRows);
HWY_EXPORT(attend);
HWY_EXPORT(attendBackward);

namespace {

std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

}  // namespace

PackedFactor::PackedFactor(std::int64_t depth, std::int64_t columns) : depth_(depth), columns_(columns) {
    const std::size_t width = HWY_DYNAMIC_DISPATCH(factorPanelWidth)();
    panels_ = static_cast<std::int64_t>((size(columns) + width - 1) / width);
    // Not filled: what lies beyond the columns is never read.
    data_.reset(new float[size(panels_) * width * size(depth)]);
}

void PackedFactor::pack(const float* matrix, bool turned, std::int64_t first, std::int64_t last) {
    HWY_DYNAMIC_DISPATCH(packPanels)
    (matrix, turned, size(depth_), size(columns_), size(first), size(last), data_.get());
}

void PackedFactor::multiply(const float* x, std::int64_t rows, const float* bias, float* y) const {
    HWY_DYNAMIC_DISPATCH(multiplyPacked)(x, size(rows), data_.get(), size(depth_), size(columns_), bias, y);
}

void weightGradient(const float* gradient, const float* x, std::int64_t rows, std::int64_t outputs, std::int64_t inputs,
                    std::int64_t first, std::int64_t last, float* out) {
    HWY_DYNAMIC_DISPATCH(weightGradientRows)
    (gradient, x, size(rows), size(outputs), size(inputs), size(first), size(last), out);
}

AttentionScratch::AttentionScratch(const HeadSizes& sizes, const Attention& input) {
    const std::size_t keys = padded(input.own + input.others);
    const std::size_t counts[] = {input.queries * sizes.headRow, sizes.head * keys, keys * sizes.headRow,
                                  input.queries * sizes.headRow, input.queries * keys};
    std::size_t all = 0;
    for (const std::size_t count : counts) all += padded(count);
    // Zeros: what pads a head's rows is multiplied, and may be no number otherwise.
    memory_ = std::make_unique<float[]>(all);
    float* next = memory_.get();
    float** const places[] = {&buffers_.q, &buffers_.k, &buffers_.v, &buffers_.out, &buffers_.scores};
    for (std::size_t i = 0; i < std::size(counts); ++i) {
        *places[i] = next;
        next += padded(counts[i]);
    }
}

void attentionForward(const HeadSizes& sizes, const Attention& input, float* probabilities, float* mixed,
                      const AttentionScratch& scratch) {
    HWY_DYNAMIC_DISPATCH(attend)(sizes, input, scratch.buffers(), probabilities, mixed, sizes.width);
}

void attentionBackward(const HeadSizes& sizes, const Attention& input, const float* probabilities,
                       const float* gradient, float* queries, float* keysValues, float* extra,
                       const AttentionScratch& scratch) {
    HWY_DYNAMIC_DISPATCH(attendBackward)
    (sizes, input, scratch.buffers(), probabilities, gradient, sizes.width, queries, keysValues, extra);
}

}  // namespace palimpsest
#endif
