// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/tile_product.h"

#if defined(__x86_64__) && defined(__linux__)
#define PALIMPSEST_TILES 1
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace palimpsest {
namespace {

constexpr std::size_t tilesOf(std::size_t count, std::size_t size) {
    return (count + size - 1) / size;
}

#ifdef PALIMPSEST_TILES

// A tile has 16 rows of 64 bytes: 16 sums in float32, or 32 factors in bfloat16 (Intel 64 and IA-32 Architectures
// Software Developer's Manual, volume 1, chapter 18).
constexpr std::size_t kTileRows = 16, kTileColumns = 16, kTileDepth = 32, kTileNumbers = kTileRows * kTileDepth;

#define PALIMPSEST_WITH_TILES __attribute__((target("avx512f,avx512bw,avx512vl,avx512bf16,amx-tile,amx-bf16")))

struct alignas(64) TileSetting {
    std::uint8_t palette = 1, startRow = 0, reserved[14] = {};
    std::uint16_t rowBytes[16] = {};
    std::uint8_t rows[16] = {};
};

constexpr TileSetting wholeTiles() {
    TileSetting setting;
    for (int i = 0; i < 8; ++i) {
        setting.rowBytes[i] = 64;
        setting.rows[i] = kTileRows;
    }
    return setting;
}
constexpr TileSetting kWholeTiles = wholeTiles();

/// Rows of A that are rounded at once: as many as stay in the second level of the cache while all of B passes by.
std::size_t chunkRows(std::size_t depthTiles) {
    constexpr std::size_t kBytes = 1 << 20, kMost = 1024;
    return std::clamp(kBytes / (depthTiles * kTileDepth * sizeof(std::uint16_t)) / 32 * 32, std::size_t{64}, kMost);
}

/// Rounds rows of A to bfloat16, tile by tile; what lies beyond the depth becomes 0.
PALIMPSEST_WITH_TILES void roundRows(const float* a, std::size_t rows, std::size_t row, std::size_t depth,
                                     std::uint16_t* out) {
    const std::size_t tiles = tilesOf(depth, kTileDepth);
    for (std::size_t i = 0; i < rows; ++i, a += row) {
        std::uint16_t* to = out + i / kTileRows * tiles * kTileNumbers + i % kTileRows * kTileDepth;
        for (std::size_t k = 0; k < depth; k += kTileDepth, to += kTileNumbers) {
            const std::size_t left = std::min(kTileDepth, depth - k);
            const auto mask = static_cast<__mmask32>((std::uint64_t{1} << left) - 1);
            const __m512 low = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask), a + k);
            const __m512 high = _mm512_maskz_loadu_ps(static_cast<__mmask16>(mask >> 16), a + k + 16);
            _mm512_storeu_si512(to, (__m512i)_mm512_cvtne2ps_pbh(high, low));
        }
    }
}

/// Keeps what the compiler has not stored yet, or has read already, from passing the tiles' own loads and stores, which
/// it does not see.
inline void memoryMayChange() {
    __asm__ volatile("" ::: "memory");
}

/// Sums of up to 32 rows and 32 columns: two tiles each way.
template <bool kSecondRows, bool kSecondColumns>
PALIMPSEST_WITH_TILES void sumTiles(std::size_t depthTiles, const std::uint16_t* a, const std::uint16_t* b,
                                    float* sums) {
    const std::size_t next = depthTiles * kTileNumbers;
    memoryMayChange();
    _tile_zero(0);
    if constexpr (kSecondColumns) _tile_zero(1);
    if constexpr (kSecondRows) _tile_zero(2);
    if constexpr (kSecondRows && kSecondColumns) _tile_zero(3);
    for (std::size_t k = 0; k < depthTiles; ++k, a += kTileNumbers, b += kTileNumbers) {
        _tile_loadd(4, a, 64);
        _tile_loadd(6, b, 64);
        _tile_dpbf16ps(0, 4, 6);
        if constexpr (kSecondRows) {
            _tile_loadd(5, a + next, 64);
            _tile_dpbf16ps(2, 5, 6);
        }
        if constexpr (kSecondColumns) {
            _tile_loadd(7, b + next, 64);
            _tile_dpbf16ps(1, 4, 7);
            if constexpr (kSecondRows) _tile_dpbf16ps(3, 5, 7);
        }
    }
    constexpr std::size_t kSums = kTileRows * kTileColumns;
    _tile_stored(0, sums, 64);
    if constexpr (kSecondColumns) _tile_stored(1, sums + kSums, 64);
    if constexpr (kSecondRows) _tile_stored(2, sums + 2 * kSums, 64);
    if constexpr (kSecondRows && kSecondColumns) _tile_stored(3, sums + 3 * kSums, 64);
    memoryMayChange();
}

using SumTiles = void (*)(std::size_t depthTiles, const std::uint16_t* a, const std::uint16_t* b, float* sums);
/// By whether there are second rows, and second columns.
constexpr SumTiles kSumTiles[2][2] = {{sumTiles<false, false>, sumTiles<false, true>},
                                      {sumTiles<true, false>, sumTiles<true, true>}};

/// `rows` of a tile of sums, with bias, to their place.
PALIMPSEST_WITH_TILES void place(const float* sums, std::size_t rows, const float* bias, bool add, float* c,
                                 std::size_t row) {
    const __m512 shift = bias ? _mm512_loadu_ps(bias) : _mm512_setzero_ps();
    for (std::size_t i = 0; i < rows; ++i, c += row, sums += kTileColumns) {
        __m512 sum = _mm512_add_ps(_mm512_load_ps(sums), shift);
        if (add) sum = _mm512_add_ps(sum, _mm512_loadu_ps(c));
        _mm512_storeu_ps(c, sum);
    }
}

/// This thread's memory for rounded rows.
std::uint16_t* roundedMemory(std::size_t numbers) {
    thread_local AlignedFloats memory;
    const std::size_t floats = (numbers + 1) / 2;
    if (memory.size() < floats) {
        memory = {};
        memory = AlignedFloats(floats);
    }
    return reinterpret_cast<std::uint16_t*>(memory.get());
}

PALIMPSEST_WITH_TILES void multiplyTiles(std::size_t rows, std::size_t depth, std::size_t columns, const float* a,
                                         std::size_t aRow, const std::uint16_t* b, float* c, std::size_t cRow,
                                         const float* bias, bool add) {
    constexpr std::size_t kSums = kTileRows * kTileColumns;
    const std::size_t depthTiles = tilesOf(depth, kTileDepth), strip = depthTiles * kTileNumbers;
    const std::size_t chunk = std::min(rows, chunkRows(depthTiles));
    std::uint16_t* rounded = roundedMemory(tilesOf(chunk, kTileRows) * strip);
    alignas(64) float sums[4 * kSums];
    // LibTorch uses the tiles, too, and sets them anew each time. The compiler knows of 8 of these 64 bytes alone.
    memoryMayChange();
    _tile_loadconfig(&kWholeTiles);
    for (std::size_t first = 0; first < rows; first += chunk) {
        const std::size_t some = std::min(chunk, rows - first);
        roundRows(a + first * aRow, some, aRow, depth, rounded);
        for (std::size_t n = 0; n < columns; n += 2 * kTileColumns) {
            const bool wide = n + kTileColumns < columns;
            const std::uint16_t* stripOfB = b + n / kTileColumns * strip;
            for (std::size_t i = 0; i < some; i += 2 * kTileRows) {
                const bool tall = i + kTileRows < some;
                const std::uint16_t* tilesOfA = rounded + i / kTileRows * strip;
                (tall   ? wide ? sumTiles<true, true> : sumTiles<true, false>
                   : wide ? sumTiles<false, true>
                        : sumTiles<false, false>)(depthTiles, tilesOfA, stripOfB, sums);
                for (std::size_t down = 0; down <= (tall ? 1u : 0u); ++down)
                    for (std::size_t across = 0; across <= (wide ? 1u : 0u); ++across) {
                        const std::size_t row = i + down * kTileRows, column = n + across * kTileColumns;
                        place(sums + (2 * down + across) * kSums, std::min(kTileRows, some - row),
                              bias ? bias + column : nullptr, add, c + (first + row) * cRow + column, cRow);
                    }
            }
        }
    }
    _tile_release();
}

/// Registers whose state the operating system saves, one a bit.
std::uint64_t savedStates() {
    std::uint32_t low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return std::uint64_t{high} << 32 | low;
}

/// Asks the processor itself, since not every compiler's __builtin_cpu_supports() knows of tiles.
bool allowedTiles() {
    const auto has = [](unsigned word, unsigned bit) { return (word >> bit & 1) != 0; };
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || !has(c, 27)) return false;  // XGETBV
    // SSE, AVX, the three parts of AVX-512, the tiles' setting and the tiles.
    constexpr std::uint64_t kStates = 1 << 1 | 1 << 2 | 7 << 5 | 3 << 17;
    if ((savedStates() & kStates) != kStates) return false;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    const bool vectors = has(b, 16) && has(b, 30) && has(b, 31);  // AVX512F, BW, VL
    const bool tiles = has(d, 22) && has(d, 24);                  // AMX-BF16, AMX-TILE
    if (a < 1 || !vectors || !tiles || !__get_cpuid_count(7, 1, &a, &b, &c, &d) || !has(a, 5)) return false;
    constexpr long kAskForState = 0x1023, kTileData = 18;  // ARCH_REQ_XCOMP_PERM, XTILEDATA
    return syscall(SYS_arch_prctl, kAskForState, kTileData) == 0;
}

#endif

}  // namespace

bool hasTileProducts() {
#ifdef PALIMPSEST_TILES
    static const bool allowed = allowedTiles();
    return allowed;
#else
    return false;
#endif
}

TileFactor::TileFactor(std::size_t depth, std::size_t columns)
    : depth_(depth),
      columns_(tilesOf(columns, kColumns) * kColumns),
      data_(columns_ * tilesOf(depth, kDepth) * kDepth / 2) {}

void TileFactor::multiply(std::size_t rows, const float* a, std::size_t aRow, float* c, std::size_t cRow,
                          const float* bias, bool add) const {
#ifdef PALIMPSEST_TILES
    static_assert(kColumns == kTileColumns && kDepth == kTileDepth);
    if (hasTileProducts() && depth_ > 0) {
        multiplyTiles(rows, depth_, columns_, a, aRow, numbers(), c, cRow, bias, add);
        return;
    }
#endif
    multiplyPlainly(rows, a, aRow, c, cRow, bias, add);
}

void TileFactor::multiplyPlainly(std::size_t rows, const float* a, std::size_t aRow, float* c, std::size_t cRow,
                                 const float* bias, bool add) const {
    const auto whole = [](std::uint16_t number) { return std::bit_cast<float>(std::uint32_t{number} << 16); };
    const std::size_t strip = tilesOf(depth_, kDepth) * kColumns * kDepth;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t n = 0; n < columns_; ++n) {
            const std::uint16_t* b = numbers() + n / kColumns * strip + n % kColumns * 2;
            float sum = 0;
            for (std::size_t k = 0; k < depth_; ++k)
                sum += whole(nearestBfloat16(a[i * aRow + k])) * whole(b[k / 2 * kDepth + k % 2]);
            float& place = c[i * cRow + n];
            place = sum + (bias ? bias[n] : 0) + (add ? place : 0);
        }
}

}  // namespace palimpsest
