// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/mask_view.h"

#include "engine/method/push.h"
#include "engine/optim/output_units.h"

namespace palimpsest {

MaskView viewThrough(MaskKind mask, const LensUpdate& update, MaskPolicy policy,
                     const std::vector<std::int32_t>& exposed) {
    policy.setKind(mask);
    const std::vector<bool> visible = policy.visible(update.open, std::ssize(exposed));
    const Tensor hiding = additiveMask(visible, update.logits.device());
    const Tensor masked = maskedLogits(update.logits, hiding, policy.form());
    MaskView view;
    view.mask = mask;
    view.loss = at::cross_entropy_loss(masked, update.units).item<double>();
    view.accuracy = (masked.argmax(1) == update.units).to(at::kFloat).mean().item<double>();
    const std::vector<UnitPush> pushes =
        unitPushes({masked.to(at::kCPU), update.units.to(at::kCPU), hiding.to(at::kCPU), {}, {}});
    for (std::size_t unit = 0; unit < pushes.size(); ++unit) {
        const UnitPush& push = pushes[unit];
        if (unit < exposed.size()) {
            view.pushes.push_back({exposed[unit], push.hidden ? std::nullopt : std::optional(push.push()), 0});
        } else if (!push.hidden) {
            ++view.unnamed;
            view.unnamed_push += push.push();
        }
    }
    return view;
}

}  // namespace palimpsest
