// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>

class QWidget;

namespace palimpsest {

struct AucChipText;
class RunSet;
class MetricChip;
class MetricHover;
class Panel;

// Cards that explain the numbers of the window.

/// A figure's heading explains its curve, "anytime" or "retention", with the last point of the selected run; so does
/// Shift+F1 in the figure. Null, and nothing done, for another figure.
MetricHover* explainCurve(Panel* panel, QWidget* figure, const QString& curve, RunSet* store);
/// `area`: what the chip says. Of a mean its card explains the mean, of one run that run's number.
MetricHover* explainArea(MetricChip* chip, RunSet* store, std::function<const AucChipText&()> area);

}  // namespace palimpsest
