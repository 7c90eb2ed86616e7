// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/random_features.h"
#include "engine/method/ridge_statistics.h"
#include "engine/method_options/head_method_options.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr double kShrinkage = 1e-4;  // SLDA: (1 - e) covariance + e I

enum class Readout { Ridge, ClassMean, Discriminant };

Readout readoutOf(const std::string& name) {
    if (name == "ridge") return Readout::Ridge;
    if (name == "ncm") return Readout::ClassMean;
    if (name == "lda") return Readout::Discriminant;
    throw inputError("There is no read-out \"" + name + "\".", "Choose ridge, ncm or lda.");
}

/// A head without training: sums over the frozen features of all images so far, from which the decision is computed in
/// closed form. Ridge: the random-feature regression of RanPAC (McDonnell et al., NeurIPS 2023; FlyGCL) without its
/// adapters of session 0. NCM: nearest class mean by cosine. LDA: the scores of SLDA (Hayes and Kanan, CVPRW 2020),
/// with the covariance within the classes of all samples so far. Every update counts its images once more, newly
/// augmented: with three updates a batch each weighs three times, as in GACL's loop, which changes only how strong the
/// ridge is against them.
class AnalyticHead : public FrozenBackboneMethod {
public:
    explicit AnalyticHead(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          readout_(readoutOf(setup.method.of<AnalyticHeadOptions>().readout)),
          ridge_(setup.method.of<AnalyticHeadOptions>().ridge),
          expansion_(vit_->shape().width,
                     readout_ == Readout::Ridge ? setup.method.of<RandomFeatureOptions>().count : 0,
                     Random(setup.seed, purpose::kHead, 2), vit_->device()),
          statistics_(expansion_.size(), setup.classes, vit_->device()),
          weight_(at::zeros({expansion_.size(), setup.classes}, at::TensorOptions(at::kFloat).device(vit_->device()))),
          bias_(at::zeros({setup.classes}, weight_.options())) {}

    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(scores(featuresOnce(input.images, input.views)), input);
    }

    /// Loss and accuracy are those of the head before it counts the images; it is computed anew whenever there are
    /// twice as many as the last time, and for every evaluation.
    UpdateResult update(const UpdateInput& input) override {
        NoGradGuard guard;
        const Tensor features = featuresOnce(input.images, input.views);
        const ForwardResult before = plainForward(scores(features), input);
        statistics_.add(expansion_(features), input.units);
        if (statistics_.samples() >= 2 * computed_at_) compute();
        return resultOf(before);
    }

    void beginEvaluation(const Tensor&) override {
        if (statistics_.samples() > computed_at_) compute();
    }
    /// The head that an update is measured with is the one that was computed last.
    bool evaluationsCount() const override { return true; }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return scores(frozen); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }
    std::vector<NamedTensor> keptTensors() const override { return statistics_.tensors(); }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("statistics", [&] { statistics_.keep(archive); });
        archive("computed_at", computed_at_);
        archive("weight", weight_);
        archive("bias", bias_);
        archive("known", known_);
    }

private:
    Tensor scores(const Tensor& features) const {
        NoGradGuard guard;
        const Tensor phi = expansion_(features);
        if (readout_ == Readout::Ridge || computed_at_ == 0) return at::matmul(phi, weight_);
        const Tensor unit = readout_ == Readout::ClassMean ? unitLength(phi, 1) : phi;
        const Tensor all = at::matmul(unit, weight_) + bias_;
        // A class without a sample has no mean; it comes last.
        const Tensor last = std::get<0>(all.min(1, /*keepdim=*/true)) - 1;
        return at::where(known_.unsqueeze(0), all, last);
    }

    void compute() {
        computed_at_ = statistics_.samples();
        known_ = statistics_.counts() > 0;
        if (readout_ == Readout::Ridge) {
            weight_ = statistics_.solved(ridge_).contiguous();
            return;
        }
        const Tensor means = statistics_.sums() / statistics_.counts().clamp_min(1);  // [D, C]
        if (readout_ == Readout::ClassMean) {
            weight_ = unitLength(means, 0).to(at::kFloat).contiguous();
            return;
        }
        const Tensor within = statistics_.gram() - at::matmul(means * statistics_.counts(), means.t());
        const Tensor covariance = within / static_cast<double>(computed_at_);
        const Tensor factor = at::linalg_cholesky((1 - kShrinkage) * covariance +
                                                  kShrinkage * at::eye(covariance.size(0), covariance.options()));
        const Tensor weight = at::cholesky_solve(means, factor);  // [D, C]
        // The solver leaves columns in a row; a state that was restored has rows, and another order of sums.
        weight_ = weight.to(at::kFloat).contiguous();
        bias_ = (-0.5 * (means * weight).sum(0)).to(at::kFloat);
    }

    Readout readout_;
    double ridge_;
    RandomFeatures expansion_;
    RidgeStatistics statistics_;
    Tensor weight_;  // [M, C]
    Tensor bias_;    // [C]
    Tensor known_;   // [C] has the class a sample?
    std::int64_t computed_at_ = 0;
};

}  // namespace

std::unique_ptr<Method> makeAnalyticHead(const MethodSetup& setup) {
    return std::make_unique<AnalyticHead>(setup);
}

}  // namespace palimpsest
