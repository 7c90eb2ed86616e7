// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <vector>

class QCustomPlot;

namespace palimpsest {

/// Points about four pixels apart along every curve of a figure that is in sight: what a name should not cover. A lone
/// marker is there several times.
std::vector<QPointF> curvePoints(const QCustomPlot& plot);

}  // namespace palimpsest
