// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/truncated_normal.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <vector>

#include "engine/support/share_work.h"

namespace palimpsest {
namespace {

constexpr std::size_t kLeast = 8192, kMost = 32768;  // values of a piece
// Values of a piece whose beginning is noted.
constexpr std::size_t kNoted = 8192;

float drawOne(Random& random, double deviation) {
    double value = random.normal();
    while (value < -2 || value > 2) value = random.normal();
    return static_cast<float>(value * deviation);
}

/// Words from the beginning of a piece to the beginning of the next. A value takes 22.85 words on average, so that a
/// piece reaches into the next by six standard deviations or more.
std::size_t stride(std::size_t values) {
    return values * 45 / 2 - 16384;
}

/// A piece of the sequence of words, read as if a value began with its first word.
struct Piece {
    std::vector<float> values;
    std::vector<std::uint64_t> begins;  ///< the generator's states before the first kNoted values
    Random end;

    Piece(Random random, std::size_t count, double deviation) : values(count), end(random) {
        begins.reserve(std::min(count, kNoted));
        for (std::size_t i = 0; i < count; ++i) {
            if (i < kNoted) begins.push_back(end.state()[0]);
            values[i] = drawOne(end, deviation);
        }
    }

    /// The first value of this piece that begins where the generator stands; -1 when none does.
    std::ptrdiff_t find(const Random& random) const {
        const auto found = std::find(begins.begin(), begins.end(), random.state()[0]);
        return found == begins.end() ? -1 : found - begins.begin();
    }
};

/// The pieces that there is memory for.
std::vector<std::optional<Piece>> readPieces(const Random& random, std::size_t pieces, std::size_t each,
                                             double deviation, int threads) {
    std::vector<std::optional<Piece>> all(pieces);
    shareWork(pieces, threads, [&](std::size_t i) {
        try {
            Random there = random;
            there.skip(i * stride(each));
            all[i].emplace(there, each, deviation);
        } catch (const std::bad_alloc&) {
            all[i].reset();
        }
    });
    return all;
}

}  // namespace

// Where a value begins in the sequence of words depends on all values before it. But two readings that began at
// different words soon come to a value that begins at the same word for both, and are the same from there on. So
// threads read pieces that begin anywhere, and what stands before that word is thrown away.
void drawTruncatedNormal(std::span<float> values, Random& random, double deviation, int threads) {
    std::size_t done = 0;
    while (threads > 1 && values.size() - done >= 2 * kLeast) {
        const std::size_t left = values.size() - done;
        const std::size_t each = std::clamp(left / static_cast<std::size_t>(threads), kLeast, kMost);
        const std::size_t pieces = std::min<std::size_t>(left / each, 256);
        const std::size_t before = done;
        for (const std::optional<Piece>& piece : readPieces(random, pieces, each, deviation, threads)) {
            if (!piece) break;
            std::ptrdiff_t from = piece->find(random);
            for (std::size_t i = 0; from < 0 && i < kNoted && done < values.size(); ++i) {
                values[done++] = drawOne(random, deviation);
                from = piece->find(random);
            }
            const std::size_t fresh = from < 0 ? 0 : piece->values.size() - static_cast<std::size_t>(from);
            if (fresh == 0 || fresh > values.size() - done) break;
            std::copy_n(piece->values.begin() + from, fresh, values.begin() + static_cast<std::ptrdiff_t>(done));
            done += fresh;
            random = piece->end;
        }
        if (done == before) break;
    }
    for (; done < values.size(); ++done) values[done] = drawOne(random, deviation);
}

}  // namespace palimpsest
