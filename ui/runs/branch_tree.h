// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "engine/library/run_row.h"

namespace palimpsest {

/// A run with the runs that were forked from it.
struct BranchNode {
    RunRowPtr row;  ///< null: its folder is gone
    QString id;     ///< of the run (RunSet::idOf)
    QString name;   ///< its own; of a run that is gone, its folder's
    std::vector<BranchNode> forks;
};

/// Finds a run by its id; null: there is none.
using RunFinder = std::function<RunRowPtr(const QString& id)>;

/// Every run that was forked, or is a fork, below the one it came from; in the order of the rows. A parent is looked
/// for where the fork says it was, then beside the fork: folders are moved together.
std::vector<BranchNode> branchTree(const std::vector<RunRowPtr>& rows, const RunFinder& find);

}  // namespace palimpsest
