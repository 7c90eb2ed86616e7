// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/logit_mask.h"

#include <limits>

namespace palimpsest {

Tensor additiveMask(const std::vector<bool>& visible, at::Device device) {
    Tensor mask = at::zeros({static_cast<std::int64_t>(visible.size())}, at::kFloat);
    float* data = mask.data_ptr<float>();
    for (std::size_t i = 0; i < visible.size(); ++i)
        if (!visible[i]) data[i] = -std::numeric_limits<float>::infinity();
    return mask.to(device);
}

Tensor seenMask(std::int64_t seen, std::int64_t classes, at::Device device) {
    std::vector<bool> visible(static_cast<std::size_t>(classes), false);
    std::fill_n(visible.begin(), std::min(seen, classes), true);
    return additiveMask(visible, device);
}

Tensor maskedLogits(const Tensor& logits, const Tensor& mask, MaskForm form) {
    return form == MaskForm::Additive ? logits + mask : logits.masked_fill(mask.lt(0), 0);
}

}  // namespace palimpsest
