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
    QString label;  ///< what they are called together
};

/// Those of one group that count in its mean, as in reports. They come as the store has them.
std::vector<const ShownRun*> countingRuns(std::vector<const ShownRun*> runs);

/// Of the runs in sight that have such points, those that share a mean with others, and what each mean is called beside
/// the others.
std::vector<SeedGroup> seedGroups(const RunSet& store, CurveKind kind);

/// What runs that differ in nothing but the seed are called together; beside nothing else.
QString groupLabel(const RunSet& store, const std::vector<const ShownRun*>& runs);

}  // namespace palimpsest
