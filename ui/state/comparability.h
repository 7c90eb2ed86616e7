// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/metrics/paired_difference.h"

namespace palimpsest {

/// Identity of a run's stream, to compare it with another one.
struct StreamKey {
    std::int64_t seed = 0;
    std::int64_t length = 0;  ///< images; 0: not known
    std::string fingerprint;  ///< empty: not known
    std::string dataset;      ///< by name, as far as it is known
    bool imported = false;    ///< its seed and length are not known
    bool operator==(const StreamKey&) const = default;
};

/// Reason why the difference of two numbers is not that of the methods alone.
enum class StreamDoubt {
    None,
    OneSeed,     ///< one seed beside a mean
    OtherSeeds,  ///< the seeds are not the same
    OtherStream  ///< the streams differ in more than the seed: there is no comparison
};

/// Doubt about the comparison of two sides, each a run or the runs of a mean, as far as their streams are known.
/// `otherKind` is called where no stream is shared: true if their settings of the stream differ.
StreamDoubt streamDoubt(const std::vector<StreamKey>& own, const std::vector<StreamKey>& other,
                        const std::function<bool()>& otherKind);
/// "other seeds"; empty where there is no doubt.
QString doubtText(StreamDoubt doubt);
/// The reason in one sentence; `name`: of the other side.
QString doubtTip(StreamDoubt doubt, const QString& name);
/// Evidence for a difference, as a line of a tooltip.
QString evidenceTip(const PairedEvidence& evidence);

}  // namespace palimpsest
