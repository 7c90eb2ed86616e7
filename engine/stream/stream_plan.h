// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/choices.h"
#include "engine/config/stream_edit.h"

namespace palimpsest {

struct StreamSettings {
    std::int64_t classes = 0;            ///< length of the class list, may exceed the labels present
    std::int64_t sessions = 5;           ///< T
    std::int64_t disjoint_percent = 50;  ///< the paper's m, the official code's --n; > 100: ordered disjoint classes
    std::int64_t blurry_percent = 10;    ///< the paper's n, the official code's --m; > 100: one new class a session
    Partition partition = Partition::Stochastic;
    std::uint64_t seed = 1;
    Sampler sampler = Sampler::Current;
};

/// An edit and its effect.
struct AppliedEdit {
    StreamEdit edit;
    std::int64_t moved = 0;           ///< samples that it moved to another session
    std::int64_t drawn_session = -1;  ///< home session of the class before any edit; -1: none
};

/// A Si-Blurry stream: the training samples of every session in order. Pure data.
struct StreamPlan {
    StreamSettings settings;
    std::vector<std::vector<std::int64_t>> sessions;          ///< sample indices in training order, T lists
    std::vector<std::vector<std::int64_t>> disjoint_classes;  ///< a list a session
    std::vector<std::vector<std::int64_t>> blurry_classes;    ///< a list a session (C lists when blurry_percent > 100)
    std::int64_t disjoint_count = 0;  ///< disjoint classes after rounding down to a multiple of T
    std::int64_t blurry_count = 0;
    std::vector<std::string> notes;  ///< oddities of an imported list, one sentence each
    std::vector<AppliedEdit> edits;  ///< in their order; see editedStream()
    std::int64_t moved = 0;          ///< samples in another session than drawn

    std::int64_t totalSamples() const;
    /// First 16 hex digits of SHA-256 over the session lengths and indices (little-endian int64).
    std::string fingerprint() const;
};

/// Plans the stream with the official sampler's generator calls in its order, so that the index lists are identical to
/// those of OnlineSampler (MISA, utils/onlinesampler.py), in one pass over the labels. The older sampler is
/// OnlineSampler of Si-Blurry, utils/onlinesampler.py. The plan's settings have the percentages that the official
/// sampler is called with: 101 and 0 for Ordered, 0 and 101 for OneClass. Throws Error(Input) if the official sampler
/// would refuse the settings or they are absurd.
StreamPlan planStream(std::span<const std::int32_t> labels, const StreamSettings& settings);

/// Session whose sets contain a class.
struct ClassHome {
    std::int64_t session = -1;  ///< -1: in no set, so the class never appears
    bool blurry = false;
};
/// Homes by class. Above 100 % a class can be in several sets: the earliest session counts, and within one session the
/// disjoint set.
std::vector<ClassHome> classHomes(const StreamPlan& plan);

/// Samples of each class in each session: counts[class][session].
std::vector<std::vector<std::int64_t>> countSamples(const StreamPlan& plan, std::span<const std::int32_t> labels);

/// Kind of a class in a stream. Disjoint: occurs in one session only; Blurry: occurs in several.
enum class ClassKind { Unknown, Disjoint, Blurry };

/// Kinds by raw label, at least `classes` entries.
std::vector<ClassKind> classKinds(const StreamPlan& plan, std::size_t classes);
/// Name of a kind: "disjoint", "blurry", or empty for Unknown.
const char* kindText(ClassKind kind);
/// Kind of that name; Unknown for any other text.
ClassKind kindIn(std::string_view text);

/// Warnings about surprising properties of a plan: empty sessions, classes that never occur, no disjoint class left
/// after rounding, samples dropped or repeated and, if the test labels are given, classes of the stream without test
/// samples. One plain sentence each, with class names if they are given.
std::vector<std::string> lintStream(const StreamPlan& plan, std::span<const std::int32_t> labels,
                                    std::optional<std::span<const std::int32_t>> testLabels = std::nullopt,
                                    std::span<const std::string> classNames = {});

}  // namespace palimpsest
