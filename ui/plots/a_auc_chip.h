// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/metrics/metric_card.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/seed_means.h"
#include "ui/state/seed_groups.h"

namespace palimpsest {

class RunSet;

/// Text of the chip of A_AUC: the selected run, or the mean that it is part of, beside the baseline that the user chose
/// or else the run that was shown last.
struct AucChipText {
    MetricChip::Content chip;
    QString tip;
    std::int64_t reach = 0;  ///< images up to which the value is taken
    SeedNumbers own, other;  ///< the runs behind the two numbers; `other` is empty where there is none
    BandWidth width = BandWidth::Deviation;
};

/// `groups`: those that the figure draws as means; `width`: of their bands. Nothing before the first evaluation, nor
/// for imported results that have no A_AUC.
std::optional<AucChipText> areaText(const RunSet& store, const std::vector<SeedGroup>& groups, BandWidth width);

/// `area`: what the chip says. Of a mean its card explains the mean, of one run that run's number.
void explainArea(MetricChip* chip, RunSet* store, std::function<const AucChipText&()> area);

}  // namespace palimpsest
