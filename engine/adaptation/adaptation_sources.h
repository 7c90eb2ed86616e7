// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/adaptation/adaptation_data.h"
#include "engine/adaptation/ood_source.h"
#include "engine/data/stream_source.h"
#include "engine/network/compute.h"

namespace palimpsest {

/// Where the images of an adaptation come from.
struct AdaptationSources {
    struct Wanted {
        std::int64_t side = 0;                              ///< pixels of the network's images
        std::int64_t passed_over = 0;                       ///< batches at the start that nobody will ask for
        bool others = false;                                ///< images of the other classes, too
        const OtherDraws::Position* others_from = nullptr;  ///< null: from their beginning
    };
    std::unique_ptr<StreamSource> train;
    std::unique_ptr<OtherSource> other;  ///< null where none are wanted
    std::int64_t drawn_at_once = 0;      ///< classes of the others that come at a time
};

/// As the options of the initial session ask for them.
AdaptationSources openAdaptationSources(const Experiment& experiment, const AdaptationData& data,
                                        std::shared_ptr<const StreamPlan> plan, const Compute& compute,
                                        const AdaptationSources::Wanted& wanted);

}  // namespace palimpsest
