// SPDX-License-Identifier: GPL-3.0-or-later
// Vector functions of one instruction set. Included once for each by Highway's foreach_target, so the guard toggles.
#if defined(PALIMPSEST_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PALIMPSEST_VECTOR_MATH_INL
#undef PALIMPSEST_VECTOR_MATH_INL
#else
#define PALIMPSEST_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace palimpsest {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::ScalableTag<float>;
using Floats = hn::Vec<Lanes>;

inline constexpr Lanes kLanes;

/// Columns of a tile: four vectors where there are 32 registers, else two.
#if HWY_TARGET <= HWY_AVX3 || HWY_ARCH_ARM
inline constexpr int kTileVectors = 4;
#else
inline constexpr int kTileVectors = 2;
#endif
inline constexpr int kTileRows = 6;

/// Columns of a packed factor's panel: those of a tile.
HWY_INLINE std::size_t panelWidth() {
    return kTileVectors * hn::Lanes(kLanes);
}

/// e^x for x <= 0 and moderate x > 0: within 2 units in the last place; 0 below -87.3; what is no number stays none.
HWY_INLINE Floats exponential(Floats x) {
    const auto low = hn::Set(kLanes, -87.3f);
    const auto tiny = hn::Lt(x, low);
    const auto clamped = hn::IfThenElse(tiny, low, x);
    const auto n = hn::Round(hn::Mul(clamped, hn::Set(kLanes, 1.44269504088896341f)));
    auto r = hn::NegMulAdd(n, hn::Set(kLanes, 0.693145751953125f), clamped);
    r = hn::NegMulAdd(n, hn::Set(kLanes, 1.42860682030941723e-6f), r);
    // Taylor's terms up to r^7 / 7!, |r| <= ln 2 / 2: the rest is below 5e-9.
    auto p = hn::Set(kLanes, 1.98412698e-4f);
    p = hn::MulAdd(p, r, hn::Set(kLanes, 1.38888889e-3f));
    p = hn::MulAdd(p, r, hn::Set(kLanes, 8.33333333e-3f));
    p = hn::MulAdd(p, r, hn::Set(kLanes, 4.16666667e-2f));
    p = hn::MulAdd(p, r, hn::Set(kLanes, 1.66666667e-1f));
    p = hn::MulAdd(p, r, hn::Set(kLanes, 0.5f));
    p = hn::MulAdd(p, r, hn::Set(kLanes, 1.0f));
    p = hn::MulAdd(p, r, hn::Set(kLanes, 1.0f));
    const hn::RebindToSigned<Lanes> integers;
    const auto power =
        hn::BitCast(kLanes, hn::ShiftLeft<23>(hn::Add(hn::ConvertTo(integers, n), hn::Set(integers, 127))));
    return hn::IfThenElse(tiny, hn::Zero(kLanes), hn::Mul(p, power));
}

/// x Phi(x), the exact GELU, and its derivative Phi(x) + x phi(x), from a single exponential: both need e^(-x^2 / 2).
/// erfc(z) e^(z^2) is t P(t) with t = 1 / (1 + 0.55 z), as in Abramowitz and Stegun, 7.1.26; P is our own minimax fit
/// of degree 5, within 2e-8 of erfc.
HWY_INLINE Floats gelu(Floats x, Floats& slope) {
    const auto one = hn::Set(kLanes, 1.0f), half = hn::Set(kLanes, 0.5f);
    const auto magnitude = hn::Abs(x);
    const auto gauss = exponential(hn::Mul(hn::Mul(x, x), hn::Set(kLanes, -0.5f)));
    const auto t = hn::Div(one, hn::MulAdd(magnitude, hn::Set(kLanes, 0.55f * 0.70710678f), one));
    auto tail = hn::Set(kLanes, 0.10732504542721946f);
    tail = hn::MulAdd(tail, t, hn::Set(kLanes, -0.5180404768160628f));
    tail = hn::MulAdd(tail, t, hn::Set(kLanes, 0.7597178377726079f));
    tail = hn::MulAdd(tail, t, hn::Set(kLanes, -0.041428755365446074f));
    tail = hn::MulAdd(tail, t, hn::Set(kLanes, 0.3908430724312494f));
    tail = hn::MulAdd(tail, t, hn::Set(kLanes, 0.30158329349138807f));
    // Half of erfc(|x| / sqrt 2): the share of the normal distribution beyond |x|.
    const auto beyond = hn::Mul(hn::Mul(hn::Mul(tail, t), gauss), half);
    const auto phi = hn::IfThenElse(hn::Lt(x, hn::Zero(kLanes)), beyond, hn::Sub(one, beyond));
    slope = hn::MulAdd(hn::Mul(x, hn::Set(kLanes, 0.39894228f)), gauss, phi);
    return hn::Mul(x, phi);
}

/// x sigmoid(1.702 x) and its derivative (OpenAI, CLIP, clip/model.py).
HWY_INLINE Floats quickGelu(Floats x, Floats& slope) {
    const auto one = hn::Set(kLanes, 1.0f), steep = hn::Set(kLanes, 1.702f);
    const auto decay = exponential(hn::Neg(hn::Abs(hn::Mul(x, steep))));
    const auto small = hn::Div(decay, hn::Add(one, decay));
    const auto sigmoid = hn::IfThenElse(hn::Lt(x, hn::Zero(kLanes)), small, hn::Sub(one, small));
    slope = hn::MulAdd(hn::Mul(hn::Mul(x, steep), sigmoid), hn::Sub(one, sigmoid), sigmoid);
    return hn::Mul(x, sigmoid);
}

/// Fate of the values that lie in a product's place already.
enum class Into { Replaced, Added };

/// Rows x Vectors of C (+)= A B in registers. A is read one number at a time, at any strides.
template <int kRows, int kVectors>
HWY_INLINE void tile(std::size_t depth, const float* HWY_RESTRICT a, std::size_t rowStride, std::size_t depthStride,
                     const float* HWY_RESTRICT b, std::size_t bStride, float* HWY_RESTRICT c, std::size_t cStride,
                     const float* HWY_RESTRICT bias, Into into) {
    const std::size_t lanes = hn::Lanes(kLanes);
    Floats sums[kRows][kVectors];
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            const std::size_t column = static_cast<std::size_t>(v) * lanes;
            sums[r][v] = bias ? hn::LoadU(kLanes, bias + column) : hn::Zero(kLanes);
        }
    for (std::size_t k = 0; k < depth; ++k) {
        Floats columns[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            columns[v] = hn::LoadU(kLanes, b + k * bStride + static_cast<std::size_t>(v) * lanes);
#pragma GCC unroll 8
        for (int r = 0; r < kRows; ++r) {
            const auto factor = hn::Set(kLanes, a[static_cast<std::size_t>(r) * rowStride + k * depthStride]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v) sums[r][v] = hn::MulAdd(factor, columns[v], sums[r][v]);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            float* place = c + static_cast<std::size_t>(r) * cStride + static_cast<std::size_t>(v) * lanes;
            // Last of all: what lies there may be large, and each sum on top of it would lose digits.
            if (into == Into::Added) sums[r][v] = hn::Add(sums[r][v], hn::LoadU(kLanes, place));
            hn::StoreU(sums[r][v], kLanes, place);
        }
}

/// A factor of a product: row i begins at data + i * row, its numbers follow at distance `step`.
struct Strided {
    const float* data;
    std::size_t row, step = 1;
};
/// Columns of the right factor in panels of a tile's width; the columns of a panel are `row` floats apart in depth.
struct Panels {
    const float* data;
    std::size_t row, panel;
};

template <int kVectors>
HWY_INLINE void rowsOfTiles(std::size_t rows, std::size_t depth, Strided a, const float* b, std::size_t bRow, float* c,
                            std::size_t cRow, const float* bias, Into into) {
    std::size_t i = 0;
    for (; i + kTileRows <= rows; i += kTileRows)
        tile<kTileRows, kVectors>(depth, a.data + i * a.row, a.row, a.step, b, bRow, c + i * cRow, cRow, bias, into);
    const float* rest = a.data + i * a.row;
    float* out = c + i * cRow;
    switch (rows - i) {
        case 5:
            return tile<5, kVectors>(depth, rest, a.row, a.step, b, bRow, out, cRow, bias, into);
        case 4:
            return tile<4, kVectors>(depth, rest, a.row, a.step, b, bRow, out, cRow, bias, into);
        case 3:
            return tile<3, kVectors>(depth, rest, a.row, a.step, b, bRow, out, cRow, bias, into);
        case 2:
            return tile<2, kVectors>(depth, rest, a.row, a.step, b, bRow, out, cRow, bias, into);
        case 1:
            return tile<1, kVectors>(depth, rest, a.row, a.step, b, bRow, out, cRow, bias, into);
        default:
            return;
    }
}

/// C [rows, columns] (+)= A [rows, depth] B [depth, columns] (+ bias). `columns` is a multiple of the lanes. The order
/// of each sum is that of k, whatever the sizes.
HWY_INLINE void product(std::size_t rows, std::size_t columns, std::size_t depth, Strided a, Panels b, float* c,
                        std::size_t cRow, const float* bias, Into into) {
    // Blocks that stay in the first and second level of the cache.
    constexpr std::size_t kDepth = 128, kRows = 384;
    const std::size_t lanes = hn::Lanes(kLanes), width = panelWidth();
    for (std::size_t i = 0; i < rows; i += kRows) {
        const std::size_t m = rows - i < kRows ? rows - i : kRows;
        for (std::size_t k = 0; k < depth; k += kDepth) {
            const std::size_t some = depth - k < kDepth ? depth - k : kDepth;
            const Strided part{a.data + i * a.row + k * a.step, a.row, a.step};
            const float* start = k == 0 ? bias : nullptr;
            const Into how = k == 0 ? into : Into::Added;
            for (std::size_t j = 0; j < columns; j += width) {
                const float* panel = b.data + (j / width) * b.panel + k * b.row;
                float* out = c + i * cRow + j;
                const float* add = start ? start + j : nullptr;
                const std::size_t vectors = (columns - j) / lanes;
                if (vectors >= kTileVectors) {
                    rowsOfTiles<kTileVectors>(m, some, part, panel, b.row, out, cRow, add, how);
                } else if (vectors == 1) {
                    rowsOfTiles<1>(m, some, part, panel, b.row, out, cRow, add, how);
                } else if constexpr (kTileVectors == 4) {
                    (vectors == 2 ? rowsOfTiles<2> : rowsOfTiles<3>)(m, some, part, panel, b.row, out, cRow, add, how);
                }
            }
        }
    }
}

}  // namespace HWY_NAMESPACE
}  // namespace palimpsest
HWY_AFTER_NAMESPACE();

#endif
