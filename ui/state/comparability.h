// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

/// Identity of a run's stream, to compare it with another one.
struct StreamKey {
    std::int64_t seed = 0;
    std::int64_t length = 0;  ///< images; 0: not known
    std::string fingerprint;  ///< empty: not known
    bool imported = false;    ///< its seed and length are not known
    bool operator==(const StreamKey&) const = default;
};

/// Why the difference of two numbers is not that of the methods alone.
enum class StreamDoubt {
    None,
    OneSeed,     ///< one seed beside a mean
    OtherSeeds,  ///< the seeds are not the same
    OtherStream  ///< the streams differ in more than the seed: there is no comparison
};

/// Of two sides, each a run or those whose mean it is, as far as both are known. `otherKind` is asked where no stream
/// is shared: whether their settings of the stream differ.
StreamDoubt streamDoubt(const std::vector<StreamKey>& own, const std::vector<StreamKey>& other,
                        const std::function<bool()>& otherKind);
/// "other seeds"; empty where there is no doubt.
QString doubtText(StreamDoubt doubt);
/// Why, in one sentence; `name` is of the other side.
QString doubtTip(StreamDoubt doubt, const QString& name);

}  // namespace palimpsest
