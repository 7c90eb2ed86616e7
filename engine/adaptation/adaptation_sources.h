// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/adaptation/adaptation_data.h"
#include "engine/adaptation/ood_source.h"
#include "engine/data/stream_source.h"
#include "engine/network/compute.h"

namespace palimpsest {

/// Sources of the images of an adaptation.
struct AdaptationSources {
    struct Wanted {
        std::int64_t side = 0;                              ///< pixels of the network's images
        std::int64_t passed_over = 0;                       ///< batches at the start that are skipped
        bool others = false;                                ///< also open a source of out-of-distribution images
        const OtherDraws::Position* others_from = nullptr;  ///< null: from the beginning
    };
    std::unique_ptr<StreamSource> train;
    std::unique_ptr<OtherSource> other;  ///< null unless wanted
    std::int64_t drawn_at_once = 0;      ///< number of out-of-distribution classes in one draw
};

/// Opens the sources that the options of the initial session ask for.
AdaptationSources openAdaptationSources(const Experiment& experiment, const AdaptationData& data,
                                        std::shared_ptr<const StreamPlan> plan, const Compute& compute,
                                        const AdaptationSources::Wanted& wanted);

}  // namespace palimpsest
