// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"

namespace palimpsest {
namespace {

/// Learning without forgetting (Li and Hoiem, ECCV 2016; MISA, methods/lwf.py): what the model said about an image
/// after the batch before is kept up. Loss: CE(z + mask) + w KD, KD = -mean_b sum_c softmax(z_old / T)_c log softmax(z
/// / T)_c over all units, without the factor T^2. The backbone is frozen, so the teacher is a copy of the head, taken
/// after every stream batch, not every session, as published.
class LearningWithoutForgetting : public HeadMethod {
public:
    explicit LearningWithoutForgetting(const MethodSetup& setup)
        : HeadMethod(setup),
          weight_(setup.method.of<LwfOptions>().weight),
          temperature_(setup.method.of<LwfOptions>().temperature) {
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        const Tensor features = featuresOnce(input.images, input.views);
        ForwardResult result = plainForward(head_(features), input);
        if (!teacher_weight_.defined()) return result;
        const Tensor old = at::softmax(at::linear(features, teacher_weight_, teacher_bias_) / temperature_, 1);
        const Tensor now = at::log_softmax(result.logits / temperature_, 1);
        result.loss = result.loss + weight_ * -(old * now).sum(1).mean();
        return result;
    }

    void endBatch() override {
        teacher_weight_ = head_.weight().detach().clone();
        teacher_bias_ = head_.bias().detach().clone();
    }

    std::vector<NamedTensor> keptTensors() const override {
        if (!teacher_weight_.defined()) return {};
        return {{"teacher.fc.weight", teacher_weight_}, {"teacher.fc.bias", teacher_bias_}};
    }
    void keep(StateArchive& archive) override {
        HeadMethod::keep(archive);
        archive("teacher.weight", teacher_weight_);
        archive("teacher.bias", teacher_bias_);
    }

private:
    double weight_, temperature_;
    Tensor teacher_weight_, teacher_bias_;  // undefined before the end of the first batch
};

}  // namespace

std::unique_ptr<Method> makeLwf(const MethodSetup& setup) {
    return std::make_unique<LearningWithoutForgetting>(setup);
}

}  // namespace palimpsest
