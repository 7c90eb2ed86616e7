// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/head_method.h"
#include "engine/method/method.h"

namespace palimpsest {
namespace {

/// Experience replay (Chaudhry et al., 2019; MISA, methods/er_baseline.py): past images join the stream's batch.
/// Without a memory it is a linear probe. With the batch mask it is the official code's mode "eracep".
class ExperienceReplay : public HeadMethod {
public:
    explicit ExperienceReplay(const MethodSetup& setup) : HeadMethod(setup) { makeOptimizerFor(setup); }

    bool takesMixedImages() const override { return true; }
};

}  // namespace

std::unique_ptr<Method> makeExperienceReplay(const MethodSetup& setup) {
    return std::make_unique<ExperienceReplay>(setup);
}

}  // namespace palimpsest
