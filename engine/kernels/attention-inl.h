// SPDX-License-Identifier: GPL-3.0-or-later
// Attention of one image after the other. Included once for each set of instructions, as vector_math-inl.h.
#if defined(PALIMPSEST_ATTENTION_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PALIMPSEST_ATTENTION_INL
#undef PALIMPSEST_ATTENTION_INL
#else
#define PALIMPSEST_ATTENTION_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <limits>

#include "engine/kernels/head_sizes.h"
#include "engine/kernels/vector_math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace palimpsest {
namespace HWY_NAMESPACE {

HWY_INLINE float dot(const float* a, const float* b, std::size_t count) {
    const std::size_t lanes = hn::Lanes(kLanes);
    auto sum = hn::Zero(kLanes);
    for (std::size_t i = 0; i < count; i += lanes)
        sum = hn::MulAdd(hn::LoadU(kLanes, a + i), hn::LoadU(kLanes, b + i), sum);
    return hn::GetLane(hn::SumOfLanes(kLanes, sum));
}

/// Softmax of the first `count` numbers of each row; the others become 0.
inline void softmax(float* scores, std::size_t rows, std::size_t count, std::size_t row) {
    const std::size_t lanes = hn::Lanes(kLanes);
    const auto none = hn::Set(kLanes, -std::numeric_limits<float>::infinity());
    const auto counted = [&](std::size_t j) { return hn::FirstN(kLanes, count - j < lanes ? count - j : lanes); };
    for (std::size_t i = 0; i < rows; ++i, scores += row) {
        auto most = none;
        for (std::size_t j = 0; j < count; j += lanes)
            most = hn::Max(most, hn::IfThenElse(counted(j), hn::LoadU(kLanes, scores + j), none));
        const auto top = hn::MaxOfLanes(kLanes, most);
        auto sum = hn::Zero(kLanes);
        for (std::size_t j = 0; j < count; j += lanes) {
            // Without the others, as if they were not there: they may hold anything.
            const auto value = hn::IfThenElseZero(counted(j), exponential(hn::Sub(hn::LoadU(kLanes, scores + j), top)));
            sum = hn::Add(sum, value);
            hn::StoreU(value, kLanes, scores + j);
        }
        const auto scale = hn::Set(kLanes, 1.0f / hn::GetLane(hn::SumOfLanes(kLanes, sum)));
        std::size_t j = 0;
        for (; j < count; j += lanes) hn::StoreU(hn::Mul(hn::LoadU(kLanes, scores + j), scale), kLanes, scores + j);
        for (; j < row; j += lanes) hn::StoreU(hn::Zero(kLanes), kLanes, scores + j);
    }
}

/// rows x width numbers, scaled, into rows of `outRow`; what lies beyond stays as it is.
inline void copyRows(const float* in, std::size_t inRow, std::size_t rows, std::size_t width, float* out,
                     std::size_t outRow, float scale) {
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < width; ++j) out[i * outRow + j] = in[i * inRow + j] * scale;
}

/// rows x width numbers as width x rows.
inline void transpose(const float* in, std::size_t inRow, std::size_t rows, std::size_t width, float* out,
                      std::size_t outRow) {
    const auto single = [&](std::size_t i, std::size_t j) { out[j * outRow + i] = in[i * inRow + j]; };
    std::size_t i = 0;
#if HWY_TARGET != HWY_SCALAR
    // Squares of four by four in registers.
    constexpr std::size_t kSide = 4;
    const hn::FixedTag<float, kSide> quad;
    for (; i + kSide <= rows; i += kSide) {
        std::size_t j = 0;
        for (; j + kSide <= width; j += kSide) {
            const float* from = in + i * inRow + j;
            const auto a = hn::LoadU(quad, from), b = hn::LoadU(quad, from + inRow);
            const auto c = hn::LoadU(quad, from + 2 * inRow), d = hn::LoadU(quad, from + 3 * inRow);
            const auto lowerAb = hn::InterleaveLower(quad, a, b), lowerCd = hn::InterleaveLower(quad, c, d);
            const auto upperAb = hn::InterleaveUpper(quad, a, b), upperCd = hn::InterleaveUpper(quad, c, d);
            float* to = out + j * outRow + i;
            hn::StoreU(hn::ConcatLowerLower(quad, lowerCd, lowerAb), quad, to);
            hn::StoreU(hn::ConcatUpperUpper(quad, lowerCd, lowerAb), quad, to + outRow);
            hn::StoreU(hn::ConcatLowerLower(quad, upperCd, upperAb), quad, to + 2 * outRow);
            hn::StoreU(hn::ConcatUpperUpper(quad, upperCd, upperAb), quad, to + 3 * outRow);
        }
        for (; j < width; ++j)
            for (std::size_t k = i; k < i + kSide; ++k) single(k, j);
    }
#endif
    for (; i < rows; ++i)
        for (std::size_t j = 0; j < width; ++j) single(i, j);
}

inline Panels plain(const float* data, std::size_t row) {
    return {data, row, panelWidth()};
}

/// Keys or values of one head: [own + others, head] in rows of `row`. Nothing reads what lies beyond `head`.
inline void gatherHead(const Attention& a, std::size_t offset, std::size_t head, std::size_t width, float* out,
                       std::size_t row) {
    copyRows(a.kv + offset, a.kvRow, a.own, head, out, row, 1);
    if (a.others) copyRows(a.extra + offset, 2 * width, a.others, head, out + a.own * row, row, 1);
}
inline void transposeHead(const Attention& a, std::size_t offset, std::size_t head, std::size_t width, float* out,
                          std::size_t row) {
    transpose(a.kv + offset, a.kvRow, a.own, head, out, row);
    if (a.others) transpose(a.extra + offset, 2 * width, a.others, head, out + a.own, row);
    // Columns of no key: a number that is left there could be one that is not finite.
    const std::size_t keys = a.own + a.others;
    for (std::size_t j = 0; j < head; ++j) std::fill(out + j * row + keys, out + (j + 1) * row, 0.0f);
}

inline void attend(const HeadSizes& n, const Attention& a, const HeadScratch& s, float* probabilities, float* mixed,
                   std::size_t mixedRow) {
    const std::size_t keys = a.own + a.others, scoreRow = padded(keys);
    for (std::size_t h = 0; h < n.heads; ++h) {
        const std::size_t at = h * n.head;
        float* p = probabilities + h * a.queries * scoreRow;
        copyRows(a.q + at, a.qRow, a.queries, n.head, s.q, n.headRow, n.scale);
        transposeHead(a, at, n.head, n.width, s.k, scoreRow);
        product(a.queries, scoreRow, n.head, {s.q, n.headRow}, plain(s.k, scoreRow), p, scoreRow, nullptr,
                Into::Replaced);
        softmax(p, a.queries, keys, scoreRow);
        gatherHead(a, n.width + at, n.head, n.width, s.v, n.headRow);
        product(a.queries, n.headRow, keys, {p, scoreRow}, plain(s.v, n.headRow), s.out, n.headRow, nullptr,
                Into::Replaced);
        copyRows(s.out, n.headRow, a.queries, n.head, mixed + at, mixedRow, 1);
    }
}

/// Gradients of attend(): of the queries and of the image's own keys and values (null: not wanted) and
/// of the extra ones [others, 2 D] (null: not wanted).
inline void attendBackward(const HeadSizes& n, const Attention& a, const HeadScratch& s, const float* probabilities,
                           const float* gradient, std::size_t gradientRow, float* qGradient, float* kvGradient,
                           float* extraGradient) {
    const std::size_t keys = a.own + a.others, scoreRow = padded(keys);
    const std::size_t lanes = hn::Lanes(kLanes);
    // The prompts alone, where nothing below asks for more.
    const std::size_t first = kvGradient ? 0 : a.own, last = extraGradient ? keys : a.own;
    for (std::size_t h = 0; h < n.heads; ++h) {
        const std::size_t at = h * n.head;
        const float* p = probabilities + h * a.queries * scoreRow;
        copyRows(gradient + at, gradientRow, a.queries, n.head, s.out, n.headRow, 1);
        // Values: the probabilities, turned, times the gradient.
        product(last - first, n.headRow, a.queries, {p + first, 1, scoreRow}, plain(s.out, n.headRow),
                s.v + first * n.headRow, n.headRow, nullptr, Into::Replaced);
        if (kvGradient) copyRows(s.v, n.headRow, a.own, n.head, kvGradient + n.width + at, a.kvRow, 1);
        if (extraGradient)
            copyRows(s.v + a.own * n.headRow, n.headRow, a.others, n.head, extraGradient + n.width + at, 2 * n.width,
                     1);
        // Scores: p (g - sum of p g) with g = gradient times the values, turned.
        transposeHead(a, n.width + at, n.head, n.width, s.k, scoreRow);
        product(a.queries, scoreRow, n.head, {s.out, n.headRow}, plain(s.k, scoreRow), s.scores, scoreRow, nullptr,
                Into::Replaced);
        for (std::size_t i = 0; i < a.queries; ++i) {
            float* row = s.scores + i * scoreRow;
            const float* share = p + i * scoreRow;
            const auto mean = hn::Set(kLanes, dot(row, share, scoreRow));
            for (std::size_t j = 0; j < scoreRow; j += lanes)
                hn::StoreU(hn::Mul(hn::LoadU(kLanes, share + j), hn::Sub(hn::LoadU(kLanes, row + j), mean)), kLanes,
                           row + j);
        }
        // Keys: the scores' gradient, turned, times the scaled queries.
        copyRows(a.q + at, a.qRow, a.queries, n.head, s.q, n.headRow, n.scale);
        product(last - first, n.headRow, a.queries, {s.scores + first, 1, scoreRow}, plain(s.q, n.headRow),
                s.v + first * n.headRow, n.headRow, nullptr, Into::Replaced);
        if (kvGradient) copyRows(s.v, n.headRow, a.own, n.head, kvGradient + at, a.kvRow, 1);
        if (extraGradient)
            copyRows(s.v + a.own * n.headRow, n.headRow, a.others, n.head, extraGradient + at, 2 * n.width, 1);
        if (qGradient) {
            gatherHead(a, at, n.head, n.width, s.v, n.headRow);
            product(a.queries, n.headRow, keys, {s.scores, scoreRow}, plain(s.v, n.headRow), s.out, n.headRow, nullptr,
                    Into::Replaced);
            copyRows(s.out, n.headRow, a.queries, n.head, qGradient + at, a.qRow, n.scale);
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace palimpsest
HWY_AFTER_NAMESPACE();

#endif
