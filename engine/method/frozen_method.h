// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"

namespace palimpsest {

/// Shared by methods whose backbone stays frozen.
class FrozenBackboneMethod : public Method {
public:
    explicit FrozenBackboneMethod(std::shared_ptr<Vit> vit) : vit_(std::move(vit)) { vit_->setTrainable(false); }
    bool usesFrozenFeatures() const override { return true; }
    Tensor frozenFeatures(const Tensor& images) override {
        NoGradGuard guard;
        return vit_->features(images);
    }

protected:
    std::shared_ptr<Vit> vit_;
};

}  // namespace palimpsest
