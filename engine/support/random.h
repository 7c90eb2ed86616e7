// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/error.h"

namespace palimpsest {

/// PyTorch's CPU generator, word for word: a 32-bit Mersenne Twister seeded with the low half of the seed
/// (at::mt19937), and the draws the official stream sampler makes from it. Same seed, same numbers as
/// torch.Generator().manual_seed(seed). Only the stream plan and the splits of data sets that MISA draws need it;
/// everything else draws from Random.
class TorchRandom {
public:
    explicit TorchRandom(std::uint64_t seed) : engine_(static_cast<std::uint32_t>(seed)) {}

    std::uint32_t word() { return static_cast<std::uint32_t>(engine_()); }

    /// torch.randperm(n): 0..n-1 shuffled; takes n-1 words.
    std::vector<std::int64_t> permutation(std::int64_t n) {
        if (n < 0) throw inputError("A permutation of " + std::to_string(n) + " items was asked for.");
        // From here on torch draws two words an item.
        if (n >= static_cast<std::int64_t>(std::numeric_limits<std::uint32_t>::max() / 20))
            throw inputError("A permutation of " + std::to_string(n) + " items is larger than the sampler can draw.",
                             "Use fewer than 214 million samples.");
        std::vector<std::int64_t> items(static_cast<std::size_t>(n));
        std::iota(items.begin(), items.end(), std::int64_t{0});
        for (std::int64_t i = 0; i + 1 < n; ++i) {
            const std::int64_t step = word() % static_cast<std::uint32_t>(n - i);
            std::swap(items[static_cast<std::size_t>(i)], items[static_cast<std::size_t>(i + step)]);
        }
        return items;
    }

    /// torch.randint(low, high, (count,)): a word each, two for ranges of 2^32 and more. Throws Error(Input) for an
    /// empty range even when count is 0, as torch raises.
    std::vector<std::int64_t> integers(std::int64_t low, std::int64_t high, std::int64_t count) {
        if (high <= low || count < 0)
            throw inputError("There is no random integer from " + std::to_string(low) + " up to but without " +
                             std::to_string(high) + ".");
        const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
        std::vector<std::int64_t> values(static_cast<std::size_t>(count));
        for (std::int64_t& value : values) {
            std::uint64_t bits = word();
            if (range >> 32) bits = (bits << 32) | word();
            value = static_cast<std::int64_t>(bits % range + static_cast<std::uint64_t>(low));
        }
        return values;
    }

    std::string state() const {
        std::ostringstream text;
        text.imbue(std::locale::classic());
        text << engine_;
        return text.str();
    }
    void restore(const std::string& state) {
        std::istringstream text(state);
        text.imbue(std::locale::classic());
        std::mt19937 engine;
        if (!(text >> engine)) throw inputError("The saved state of the stream's random generator cannot be read.");
        engine_ = engine;
    }

private:
    std::mt19937 engine_;
};

/// Random numbers for everything but the stream plan (augmentation, initialisation, replay, fractals): small, and the
/// same on every platform and compiler, since only integer arithmetic decides. PCG XSH RR 64/32 (O'Neill, 2014).
/// Each (seed, purpose, a, b) names a stream of its own, so work can be split among threads, or skipped, without
/// changing any number.
class Random {
public:
    explicit Random(std::uint64_t seed, std::uint64_t purpose = 0, std::uint64_t a = 0, std::uint64_t b = 0) {
        std::uint64_t hash = 0;
        for (const std::uint64_t part : {seed, purpose, a, b}) hash = mix(hash + kGolden + mix(part + kGolden));
        state_ = hash;
        increment_ = mix(hash + kGolden) | 1;
        word();
    }

    std::uint32_t word() {
        const std::uint64_t old = state_;
        state_ = old * kFactor + increment_;
        const std::uint32_t shifted = static_cast<std::uint32_t>(((old >> 18) ^ old) >> 27);
        const unsigned turn = static_cast<unsigned>(old >> 59);
        return (shifted >> turn) | (shifted << ((32 - turn) & 31));
    }
    std::uint64_t longWord() {
        const std::uint64_t high = word();
        return (high << 32) | word();
    }

    /// In [0, 1), a multiple of 2^-53.
    double uniform() { return static_cast<double>(longWord() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    bool chance(double probability) { return uniform() < probability; }

    /// In 0..n-1 without bias (Lemire, 2019); 0 when n is 0.
    std::uint64_t below(std::uint64_t n) {
        if (n <= 1) return 0;
        if (n > std::numeric_limits<std::uint32_t>::max()) {
            const std::uint64_t refused = (0 - n) % n;
            std::uint64_t bits = longWord();
            while (bits < refused) bits = longWord();
            return bits % n;
        }
        const std::uint32_t range = static_cast<std::uint32_t>(n);
        std::uint64_t product = std::uint64_t{word()} * range;
        if (static_cast<std::uint32_t>(product) < range) {
            const std::uint32_t refused = (0u - range) % range;
            while (static_cast<std::uint32_t>(product) < refused) product = std::uint64_t{word()} * range;
        }
        return product >> 32;
    }

    /// Standard normal, drawn exactly by comparisons alone, without logarithms that differ from one C library to the
    /// next (Karney, "Sampling exactly from the normal distribution", 2016, algorithm N).
    double normal() {
        for (;;) {
            std::uint64_t whole = 0;
            while (halfExponential()) ++whole;
            bool accepted = true;
            for (std::uint64_t i = whole * (whole - (whole > 0)); accepted && i > 0; --i) accepted = halfExponential();
            if (!accepted) continue;
            const std::uint64_t fraction = longWord();
            for (std::uint64_t i = 0; accepted && i <= whole; ++i) accepted = fractionAccepted(whole, fraction);
            if (!accepted) continue;
            const double size = static_cast<double>(whole) + static_cast<double>(fraction >> 11) * 0x1.0p-53;
            return (word() >> 31) ? -size : size;
        }
    }

    template <class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t left = items.size(); left > 1; --left)
            std::swap(items[left - 1], items[static_cast<std::size_t>(below(left))]);
    }

    /// Passes over so many words as if they had been drawn (Brown, "Random number generation with arbitrary strides",
    /// 1994).
    void skip(std::uint64_t words) {
        std::uint64_t factor = kFactor, sum = increment_, all_factors = 1, all_sums = 0;
        for (; words > 0; words >>= 1) {
            if (words & 1) {
                all_factors *= factor;
                all_sums = all_sums * factor + sum;
            }
            sum *= factor + 1;
            factor *= factor;
        }
        state_ = state_ * all_factors + all_sums;
    }

    /// State and increment, for checkpoints.
    std::array<std::uint64_t, 2> state() const { return {state_, increment_}; }
    void restore(const std::array<std::uint64_t, 2>& state) {
        state_ = state[0];
        increment_ = state[1] | 1;
    }

private:
    static constexpr std::uint64_t kFactor = 6364136223846793005ULL;
    static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15ULL;

    /// SplitMix64's finaliser (Steele, Lea and Flood, 2014).
    static std::uint64_t mix(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
        return x ^ (x >> 31);
    }

    /// True with probability exp(-1/2): algorithm H.
    bool halfExponential() {
        std::uint32_t last = word();
        if (last >> 31) return true;
        bool even = false;
        for (std::uint32_t next = word(); next < last; next = word()) {
            last = next;
            even = !even;
        }
        return even;
    }

    /// True with probability exp(-x (2k + x) / (2k + 2)), x = fraction / 2^64: algorithm B.
    bool fractionAccepted(std::uint64_t k, std::uint64_t fraction) {
        bool even = true;
        std::uint64_t last = fraction;
        for (;;) {
            const std::uint64_t next = longWord();
            if (next >= last) return even;
            const std::uint64_t choice = below(2 * k + 2);
            if (choice == 0) return even;
            if (choice == 1 && longWord() >= fraction) return even;
            last = next;
            even = !even;
        }
    }

    std::uint64_t state_;
    std::uint64_t increment_;
};

/// One generator a purpose, all from the experiment's seed, so that no part of a run disturbs another's numbers.
namespace purpose {
inline constexpr std::uint64_t kHead = 2;
inline constexpr std::uint64_t kPrompts = 3;
inline constexpr std::uint64_t kAugment = 4;
inline constexpr std::uint64_t kMemory = 5;
inline constexpr std::uint64_t kReplay = 6;
inline constexpr std::uint64_t kLoadTrain = 7;
inline constexpr std::uint64_t kLoadTest = 8;
inline constexpr std::uint64_t kCutMix = 9;
inline constexpr std::uint64_t kAugmenter = 10;
inline constexpr std::uint64_t kLowRank = 11;
// Out-of-distribution images of initial session adaptation: which classes, their order, whether to draw again, the
// random crops of loading, the augmentation.
inline constexpr std::uint64_t kOtherClasses = 20;
inline constexpr std::uint64_t kOtherOrder = 21;
inline constexpr std::uint64_t kOtherResample = 22;
inline constexpr std::uint64_t kLoadOther = 23;
inline constexpr std::uint64_t kOtherAugment = 24;
inline constexpr std::uint64_t kAugmentPast = 30;
inline constexpr std::uint64_t kSessionWork = 31;
// Drawn data sets.
inline constexpr std::uint64_t kFractalClass = 0xd5'0001;
inline constexpr std::uint64_t kFractalInstance = 0xd5'0002;
inline constexpr std::uint64_t kContourClass = 0xd5'0003;
inline constexpr std::uint64_t kContourInstance = 0xd5'0004;
inline constexpr std::uint64_t kFractalSample = 0xd5'0005;
inline constexpr std::uint64_t kShapeSample = 0xd5'0006;
inline constexpr std::uint64_t kGlyphSample = 0xd5'0007;
inline constexpr std::uint64_t kFormulaSample = 0xd5'0008;
inline constexpr std::uint64_t kIconSample = 0xd5'0009;
}  // namespace purpose

}  // namespace palimpsest
