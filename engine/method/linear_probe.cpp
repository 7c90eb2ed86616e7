// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/linear_head.h"
#include "engine/method/method.h"

namespace palimpsest {
namespace {

/// Frozen backbone, linear head, plain cross-entropy (paper, lower bound; MISA, methods/Finetuning.py with model
/// "vit").
class LinearProbe : public HeadMethod {
public:
    explicit LinearProbe(const MethodSetup& setup) : HeadMethod(setup) { makeOptimizerFor(setup); }
    bool takesMixedImages() const override { return true; }
    bool takesSharpness() const override { return true; }
    std::optional<std::vector<std::int64_t>> launchState() const override { return std::vector<std::int64_t>{}; }
};

}  // namespace

std::unique_ptr<Method> makeLinearProbe(const MethodSetup& setup) {
    return std::make_unique<LinearProbe>(setup);
}

/// Experience replay (Chaudhry et al., 2019; MISA, methods/er_baseline.py) is a linear probe whose stream batches are
/// joined by past images. With the batch mask it is the official code's mode "eracep".
std::unique_ptr<Method> makeExperienceReplay(const MethodSetup& setup) {
    return std::make_unique<LinearProbe>(setup);
}

}  // namespace palimpsest
