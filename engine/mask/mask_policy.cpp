// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mask/mask_policy.h"

#include "engine/support/error.h"

namespace palimpsest {

namespace {

void openUnits(std::vector<bool>& units, std::span<const std::int64_t> opened) {
    for (const std::int64_t unit : opened) {
        if (unit < 0 || unit >= static_cast<std::int64_t>(units.size()))
            throw runError("The mask was asked about class unit " + std::to_string(unit) + " of " +
                           std::to_string(units.size()) + ".");
        units[static_cast<std::size_t>(unit)] = true;
    }
}

}  // namespace

std::vector<Choice> maskChoices() {
    return {
        {"none", "No mask", "All classes compete, even those that have not appeared yet."},
        {"seen", "Seen classes", "Only classes that have appeared in the stream so far compete."},
        {"batch", "Classes of the batch",
         "Only the classes of the present batch compete, so learning them does not push the others down (MISA)."},
        {"session", "Classes of the session", "Only classes that have appeared since the session began compete."},
        {"learnable", "Learned weights",
         "Each prompt of the pool learns a weight for every class; classes seen so far compete (MVP)."},
    };
}

void MaskPolicy::beginSession(std::span<const std::int64_t> sessionUnits) {
    endSession();
    openUnits(session_, sessionUnits);
}

void MaskPolicy::beginStep(std::span<const std::int64_t> streamUnits) {
    openUnits(session_, streamUnits);
}

void MaskPolicy::beginUpdate(std::span<const std::int64_t> replayUnits) {
    openUnits(session_, replayUnits);
}

void MaskPolicy::endSession() {
    session_.assign(static_cast<std::size_t>(classes_), false);
}

std::vector<bool> MaskPolicy::visible(std::span<const std::int64_t> batch, std::int64_t seen) const {
    std::vector<bool> units(static_cast<std::size_t>(classes_), kind_ == MaskKind::None);
    switch (kind_) {
        case MaskKind::None:
            break;
        case MaskKind::Seen:
        case MaskKind::Learnable:
            for (std::int64_t unit = 0; unit < seen && unit < classes_; ++unit)
                units[static_cast<std::size_t>(unit)] = true;
            break;
        case MaskKind::Batch:
            openUnits(units, batch);
            break;
        case MaskKind::Session:
            units = session_;
            break;
    }
    return units;
}

}  // namespace palimpsest
