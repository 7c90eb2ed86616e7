// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

namespace palimpsest {

class RunSet;
struct ShownRun;
enum class CurveKind;

/// Runs that differ in nothing but the seed, as far as they count in their mean.
struct SeedGroup {
    std::string key;  ///< ShownRun::seed_group of all of them
    std::vector<const ShownRun*> runs;
    QString label;  ///< their common label
};

/// Runs of one group that count in its mean, as in reports. `runs`: in the order of the set.
std::vector<const ShownRun*> countingRuns(std::vector<const ShownRun*> runs);

/// Groups of the visible runs that have such points and share a mean, each with a label that distinguishes it.
std::vector<SeedGroup> seedGroups(const RunSet& store, CurveKind kind);

/// True where two visible runs or more, of whatever figure, share a mean.
bool anySeedsShared(const RunSet& store);

/// Label of runs that differ in nothing but the seed, standing alone.
QString groupLabel(const RunSet& store, const std::vector<const ShownRun*>& runs);

}  // namespace palimpsest
