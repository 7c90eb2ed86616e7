// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/learn_update.h"

#include "engine/data/cutmix.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

std::pair<UpdateResult, std::vector<bool>> learnUpdate(Method& method, MaskPolicy& policy, std::int64_t seen,
                                                       const StepUnits& units, const Tensor& images,
                                                       std::optional<Random> cutmix, bool cutmixEach,
                                                       StepExtras extras) {
    policy.beginUpdate(units.replay);
    std::vector<std::int64_t> all = units.stream;
    all.insert(all.end(), units.replay.begin(), units.replay.end());
    UpdateInput input;
    input.images = images;
    input.units = at::tensor(all, at::kLong).to(images.device());
    for (const PastBatch& past : extras.past) {
        const std::vector<std::int64_t> pastUnits = indexVector(past.units);
        policy.beginUpdate(pastUnits);
        all.insert(all.end(), pastUnits.begin(), pastUnits.end());
    }
    const auto own = method.ownMask(units.stream, seen);
    std::vector<bool> visible = own ? *own : policy.visible(all, seen);
    input.mask = additiveMask(visible, images.device());
    input.form = policy.form();
    input.past = std::move(extras.past);
    input.samples = std::move(extras.samples);
    input.seen = seen;
    if (cutmix && cutmix->chance(kCutMixChance)) {
        const CutMix mixed = cutmixEach ? cutMixedEach(images, *cutmix) : cutMixed(images, *cutmix);
        input.images = mixed.images;
        input.mix = {input.units.index_select(0, mixed.permutation), mixed.lambda, mixed.shares};
    }
    return {method.update(input), std::move(visible)};
}

}  // namespace palimpsest
