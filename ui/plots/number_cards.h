// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QTableView;
class QWidget;

namespace palimpsest {

struct AreaText;
class CurveStore;
class MetricChip;
class MetricHover;
class Panel;
class RunLibrary;

// Where the window's numbers get their cards.

/// A figure's heading explains its curve, "anytime" or "retention", with the last point of the primary run; so does
/// Shift+F1 in the figure. Null, and nothing done, for another figure.
MetricHover* explainCurve(Panel* panel, QWidget* figure, const QString& curve, CurveStore* store);
/// `area`: what the chip says. Of a mean its card explains the mean, of one run that run's number.
MetricHover* explainArea(MetricChip* chip, CurveStore* store, std::function<const AreaText&()> area);
/// A_AUC, A_Last and F_Last in the table of runs, of a run or of the mean of a heading.
MetricHover* explainRuns(QTableView* view, CurveStore* store, RunLibrary* library);

}  // namespace palimpsest
