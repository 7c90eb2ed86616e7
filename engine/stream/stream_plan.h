// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palimpsest {

enum class Partition { Stochastic, Uniform };

struct StreamSettings {
    std::int64_t classes = 0;            ///< length of the class list, may exceed the labels present
    std::int64_t sessions = 5;           ///< T
    std::int64_t disjoint_percent = 50;  ///< the paper's m, the official code's --n; > 100: ordered disjoint classes
    std::int64_t blurry_percent = 10;    ///< the paper's n, the official code's --m; > 100: one new class a session
    Partition partition = Partition::Stochastic;
    std::uint64_t seed = 1;
};

/// A Si-Blurry stream: which training samples come in which session, in which order. Pure data.
struct StreamPlan {
    StreamSettings settings;
    std::vector<std::vector<std::int64_t>> sessions;          ///< sample indices in training order, T lists
    std::vector<std::vector<std::int64_t>> disjoint_classes;  ///< a list a session
    std::vector<std::vector<std::int64_t>> blurry_classes;    ///< a list a session (C lists when blurry_percent > 100)
    std::int64_t disjoint_count = 0;     ///< disjoint classes after rounding down to a multiple of T
    std::int64_t blurry_count = 0;

    std::int64_t totalSamples() const;
    /// First 16 hex digits of SHA-256 over the session lengths and indices (little-endian int64).
    std::string fingerprint() const;
};

/// Plans the stream with the official sampler's generator calls in its order, so the index lists are identical to
/// OnlineSampler (MISA, utils/onlinesampler.py), in one pass over the labels.
/// Throws Error(Input) where the official sampler refuses (see the reference's special branches) or settings are absurd.
StreamPlan planStream(std::span<const std::int32_t> labels, const StreamSettings& settings);

/// Samples of each class in each session: counts[class][session].
std::vector<std::vector<std::int64_t>> countSamples(const StreamPlan& plan, std::span<const std::int32_t> labels);

/// What a plan does to people who did not expect it: empty sessions, classes that never appear, no disjoint class left
/// after rounding, samples dropped and, where the test labels are given, classes of the stream that they lack. One plain
/// sentence each.
std::vector<std::string> lintStream(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                    std::optional<std::span<const std::int32_t>> testLabels = std::nullopt);

}  // namespace palimpsest
