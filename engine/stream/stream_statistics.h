// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// Evenness of a set of samples over their classes. K: classes with a sample in the set, n_c: samples of class c, p_c =
/// n_c / sum n.
struct Balance {
    std::int64_t samples = 0;
    std::int64_t classes = 0;  ///< K
    /// max n_c / min n_c over the K classes (Buda et al., Neural Networks 106, 2018); absent without samples.
    std::optional<double> imbalance;
    /// H / ln K with H = -sum p_c ln p_c, 0 to 1 (Pielou, J. Theor. Biol. 13, 1966); absent for K < 2.
    std::optional<double> evenness;
    /// exp(H), the number of equally large classes that would be as diverse (Hill, Ecology 54, 1973); 0 without
    /// samples, else 1 to K.
    double effective_classes = 0;
    double disjoint_share = 0;  ///< share of the samples in disjoint classes, 0 to 1
    double blurry_share = 0;
};

/// Occurrence of a class. Sessions and positions count from 0; -1: never.
struct ClassAppearance {
    std::int64_t samples = 0;
    std::int64_t sessions = 0;  ///< number of sessions in which it occurs
    std::int64_t first_session = -1;
    std::int64_t last_session = -1;
    std::int64_t first_position = -1;  ///< samples of the stream before its first one
    std::int64_t last_position = -1;   ///< samples of the stream before its last one
    ClassHome home;
};

struct StreamStatistics {
    std::vector<Balance> sessions;
    Balance whole;                         ///< of the whole stream
    std::vector<ClassAppearance> classes;  ///< by class

    /// Mean over the sessions that have samples.
    double meanEffectiveClasses() const;
    /// Largest imbalance of any session; absent for an empty stream.
    std::optional<double> worstImbalance() const;
};

/// Statistics of a plan, in one pass over it.
StreamStatistics streamStatistics(const StreamPlan& plan, std::span<const std::int32_t> labels);

/// Balance of one set of samples, given its number of samples of each class.
Balance balanceOf(std::span<const std::int64_t> classCounts, std::span<const ClassHome> homes);

}  // namespace palimpsest
