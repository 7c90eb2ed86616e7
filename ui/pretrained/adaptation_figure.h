// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "engine/report/publication.h"
#include "engine/run/adaptation.h"

namespace palimpsest {

/// The loss of an adaptation as a figure for papers, with its numbers: each report faint, the running mean strong, the
/// mean of the perturbing pass (`other`) dashed. Belongs on no particular thread.
report::Publication adaptationPublication(const QVector<AdaptationProgress>& reports, bool other);

}  // namespace palimpsest
