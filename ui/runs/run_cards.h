// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace palimpsest {

class RunSet;
class MetricHover;
class RunLibrary;

/// A_AUC, A_Last and F_Last in the table of runs, of a run or of the mean of a heading.
MetricHover* explainRuns(QTableView* view, RunSet* store, RunLibrary* library);

}  // namespace palimpsest
