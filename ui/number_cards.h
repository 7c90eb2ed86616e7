// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QTableView;
class QWidget;

namespace palimpsest {

class CurveStore;
class MetricChip;
class MetricHover;
class Panel;
class RunLibrary;

// Where the window's numbers get their cards.

/// A figure's heading explains its curve, "anytime" or "retention", with the last point of the primary run; so does
/// Shift+F1 in the figure. Null, and nothing done, for another figure.
MetricHover* explainCurve(Panel* panel, QWidget* figure, const QString& curve, CurveStore* store);
/// `reach`: the images up to which the chip's A_AUC is taken.
MetricHover* explainArea(MetricChip* chip, CurveStore* store, std::function<std::int64_t()> reach);
/// A_AUC, A_Last and F_Last in the table of runs.
MetricHover* explainRuns(QTableView* view, CurveStore* store, RunLibrary* library);

}  // namespace palimpsest
