// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/optim/output_units.h"

#include <limits>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/device_copies.h"

namespace palimpsest {

void ClassRegistry::expose(const std::vector<std::int32_t>& labels) {
    for (const std::int32_t label : labels)
        if (units_.emplace(label, count()).second) exposed_.push_back(label);
}

std::int64_t ClassRegistry::unit(std::int32_t label) const {
    const auto found = units_.find(label);
    return found == units_.end() ? -1 : found->second;
}

std::vector<std::int64_t> ClassRegistry::units(const std::vector<std::int32_t>& labels) const {
    std::vector<std::int64_t> result;
    result.reserve(labels.size());
    for (const std::int32_t label : labels) result.push_back(unit(label));
    return result;
}

void ClassRegistry::keep(StateArchive& archive) {
    std::vector<std::int32_t> labels = exposed_;
    archive("exposed", labels);
    if (!archive.restoring()) return;
    exposed_.clear();
    units_.clear();
    expose(labels);
}

Tensor additiveMask(const std::vector<bool>& visible, at::Device device) {
    Tensor mask = at::zeros({static_cast<std::int64_t>(visible.size())}, at::kFloat);
    float* data = mask.data_ptr<float>();
    for (std::size_t i = 0; i < visible.size(); ++i)
        if (!visible[i]) data[i] = -std::numeric_limits<float>::infinity();
    return onDevice(mask, device);
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
