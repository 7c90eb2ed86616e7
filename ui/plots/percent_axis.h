// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>
#include <utility>
#include <vector>

class QCPAxis;

namespace palimpsest {

struct ShownRun;

/// The axis of a figure's accuracies, from 0 to 100 % or as far as the curves need. While no run leaves the figure it
/// only grows, so that it moves a few times at most while a run goes on.
class PercentAxis {
public:
    /// The axis outlives it.
    explicit PercentAxis(QCPAxis* axis) : axis_(axis) {}

    /// `highest`: of all that is drawn of the runs, in per cent; below 0: nothing is. `whole`: to 100 % in any case.
    void fit(const std::vector<const ShownRun*>& runs, double highest, bool whole);

private:
    QCPAxis* axis_;
    double upper_ = 0;  ///< that the curves need; 0: there are none
    std::set<std::pair<QString, int>> runs_;
};

}  // namespace palimpsest
