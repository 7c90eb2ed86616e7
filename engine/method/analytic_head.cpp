// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/random_features.h"
#include "engine/method/ridge_choice.h"
#include "engine/method/ridge_statistics.h"
#include "engine/method_options/head_method_options.h"
#include "engine/support/error.h"
#include "engine/support/one_of_two.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr double kShrinkage = 1e-4;      // SLDA: (1 - e) covariance + e I
constexpr std::int64_t kPixelSide = 32;  // RanDumb: larger images are made this small

enum class Readout { Ridge, ClassMean, Discriminant };

Readout readoutOf(const std::string& name) {
    if (name == "ridge") return Readout::Ridge;
    if (name == "ncm") return Readout::ClassMean;
    if (name == "lda") return Readout::Discriminant;
    throw inputError("There is no read-out \"" + name + "\".", "Choose ridge, ncm or lda.");
}

enum class Source { LastToken, AllTokens, Pixels };

/// What an image's features are made of, and how they are expanded.
struct FeatureKind {
    Source source;
    RandomFeatures::Kind expansion;
};

FeatureKind featureKindOf(const std::string& name) {
    if (name == "random-relu") return {Source::LastToken, RandomFeatures::Kind::Relu};
    if (name == "sparse") return {Source::LastToken, RandomFeatures::Kind::Sparse};
    if (name == "all-blocks") return {Source::AllTokens, RandomFeatures::Kind::Sigmoid};
    if (name == "pixels") return {Source::Pixels, RandomFeatures::Kind::Fourier};
    throw inputError("There are no features \"" + name + "\".", "Choose random-relu, sparse, all-blocks or pixels.");
}

enum class RidgeChoice { Fixed, Prequential, CrossValidation };

RidgeChoice ridgeChoiceOf(const std::string& name) {
    if (name == "fixed") return RidgeChoice::Fixed;
    if (name == "prequential") return RidgeChoice::Prequential;
    if (name == "gcv") return RidgeChoice::CrossValidation;
    throw inputError("A ridge cannot be chosen by \"" + name + "\".", "Choose fixed, prequential or gcv.");
}

/// The covariance S [D, D] of so many samples, drawn towards a multiple of I by the share of Chen, Wiesel, Eldar and
/// Hero (OAS, 2010): (1 - r) S + r m I, m the mean of the diagonal, r = (p + m^2) / ((n + 1) (p - m^2 / D)), at most 1,
/// p the mean of all squared entries. `rounding`: m at most that large is no spread at all.
Tensor oracleApproximated(const Tensor& covariance, double samples, double rounding) {
    const auto width = static_cast<double>(covariance.size(0));
    const double mean = covariance.diagonal().mean().item<double>(), all = covariance.square().mean().item<double>();
    // Without any spread, all directions are as good as each other.
    if (mean <= rounding) return at::eye(covariance.size(0), covariance.options());
    const double below = (samples + 1) * (all - mean * mean / width);
    const double share = below > 0 ? std::min(1.0, (all + mean * mean) / below) : 1;
    Tensor shrunk = (1 - share) * covariance;
    shrunk.diagonal().add_(share * mean);
    return shrunk;
}

/// A head without training: sums over the features of all images so far, from which the decision is computed in closed
/// form. Ridge: regression on the classes over random features, such as RanPAC's (McDonnell et al., NeurIPS 2023;
/// FlyGCL) without its adapters of session 0. NCM: nearest class mean by cosine. LDA: the scores of SLDA (Hayes and
/// Kanan, CVPRW 2020), with the covariance within the classes of all samples so far. Features of pixels need no network
/// at all (RanDumb, NeurIPS 2024). Every update counts its images once more, newly augmented: with three updates a
/// batch each weighs three times, as in GACL's loop, which changes only how strong the ridge is against them.
class AnalyticHead : public FrozenBackboneMethod {
public:
    explicit AnalyticHead(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          readout_(readoutOf(setup.method.of<AnalyticHeadOptions>().readout)),
          kind_(featureKindOf(setup.method.of<AnalyticHeadOptions>().features)),
          ridge_(setup.method.of<AnalyticHeadOptions>().ridge),
          ridge_choice_(ridgeChoiceOf(setup.method.of<AnalyticHeadOptions>().ridge_choice)),
          balanced_(isSecondOf("class balance", setup.method.of<AnalyticHeadOptions>().balance, "none", "pooled")),
          shrinks_by_oas_(isSecondOf("shrinkage", setup.method.of<AnalyticHeadOptions>().shrinkage, "fixed", "oas")),
          expansion_(width(), expands() ? setup.method.of<RandomFeatureOptions>().count : 0,
                     Random(setup.seed, purpose::kHead, 2), vit_->device(), kind_.expansion),
          statistics_(expansion_.size(), setup.classes, vit_->device(), readout_ != Readout::ClassMean),
          prequential_(ridge_),
          weight_(at::zeros({expansion_.size(), setup.classes}, at::TensorOptions(at::kFloat).device(vit_->device()))),
          bias_(at::zeros({setup.classes}, weight_.options())) {}

    /// What an image is known by, before it is expanded: the class token, the mean of those of all blocks, or pixels.
    Tensor frozenFeatures(const Tensor& images) override {
        NoGradGuard guard;
        switch (kind_.source) {
            case Source::LastToken:
                break;
            case Source::AllTokens:
                return fusedTokens(images);
            case Source::Pixels:
                return pixelRows(images);
        }
        return FrozenBackboneMethod::frozenFeatures(images);
    }
    bool frozenAreFinal() const override { return kind_.source == Source::LastToken; }
    Tensor finalFeatures(const Tensor& images) override { return FrozenBackboneMethod::frozenFeatures(images); }
    /// Where pixels decide, no network is asked.
    bool hasReference() const override { return kind_.source != Source::Pixels; }
    bool repeatsFeatures() const override {
        return kind_.source == Source::Pixels || FrozenBackboneMethod::repeatsFeatures();
    }

    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(scores(expansion_(featuresOf(input))), input);
    }

    void beginBatch(const StreamBatch& batch) override { arriving_ = batch.samples; }

    /// Loss and accuracy are those of the head before it counts the images; it is computed anew whenever there are
    /// twice as many as the last time, and for every evaluation.
    UpdateResult update(const UpdateInput& input) override {
        NoGradGuard guard;
        const Tensor phi = expansion_(featuresOf(input));
        ForwardResult before = plainForward(scores(phi), input);
        before.pushed = {};  // sums are counted, and no gradient pushes a score
        if (choosesBy(RidgeChoice::Prequential)) {
            const std::int64_t fresh = arrived(input);
            prequential_.score(phi.narrow(0, 0, fresh), input.units.narrow(0, 0, fresh));
        }
        statistics_.add(phi, input.units);
        if (statistics_.samples() >= 2 * computed_at_) compute();
        return resultOf(before);
    }

    void beginEvaluation(const Tensor&) override {
        if (statistics_.samples() > computed_at_) compute();
    }
    /// The head that an update is measured with is the one that was computed last.
    bool evaluationsCount() const override { return true; }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return scores(expansion_(frozen)); }
    Tensor headRows() const override { return expansion_.isRandom() ? Tensor() : weight_.t(); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }
    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> all = statistics_.tensors();
        if (choosesRidge()) all.push_back({"ridge", at::full({}, ridge_, at::TensorOptions(at::kDouble))});
        return all;
    }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("features", [&] { keepFeatureKind(archive); });
        archive.within("statistics", [&] { statistics_.keep(archive); });
        archive("computed_at", computed_at_);
        archive("weight", weight_);
        archive("bias", bias_);
        archive("known", known_);
        // A fork may begin to choose its ridge.
        if (choosesRidge() && !(archive.restoring() && !archive.part().contains("ridge"))) archive("ridge", ridge_);
        archive.within("prequential", [&] {
            if (choosesBy(RidgeChoice::Prequential) && !(archive.restoring() && archive.part().empty()))
                prequential_.keep(archive);
        });
    }

private:
    bool choosesBy(RidgeChoice choice) const { return readout_ == Readout::Ridge && ridge_choice_ == choice; }
    bool choosesRidge() const { return readout_ == Readout::Ridge && ridge_choice_ != RidgeChoice::Fixed; }

    /// A fork may have other options: sums of other features of the same number must not go on.
    void keepFeatureKind(StateArchive& archive) const {
        const bool expanded = expansion_.isRandom();
        const std::vector<std::int64_t> own{static_cast<std::int64_t>(kind_.source),
                                            expanded ? static_cast<std::int64_t>(kind_.expansion) : -1};
        std::vector<std::int64_t> kind = own;
        // Earlier states do not say.
        if (!(archive.restoring() && archive.part().empty())) archive("kind", kind);
        if (kind != own)
            throw inputError(
                "The saved sums are of other features than method.analytic_features and "
                "method.random_features say.",
                "Go on with the features they were made of, or start again without them.");
    }

    /// Values of frozenFeatures().
    std::int64_t width() const {
        if (kind_.source != Source::Pixels) return vit_->shape().width;
        const std::int64_t side = std::min(vit_->shape().image_size, kPixelSide);
        return vit_->shape().channels * side * side;
    }
    /// The regression needs more features than a network has; other read-outs take its features as they are.
    bool expands() const { return readout_ == Readout::Ridge || kind_.source == Source::Pixels; }

    /// The mean of the class tokens after each block, under the final LayerNorm (F-OAL, models/pretrained.py).
    Tensor fusedTokens(const Tensor& images) const {
        const std::vector<Tensor> tokens = vit_->classTokens(images).unbind(1);
        Tensor sum = tokens.front().clone();
        for (std::size_t i = 1; i < tokens.size(); ++i) sum += tokens[i];
        return vit_->finalNorm(sum / static_cast<double>(tokens.size()));
    }

    static Tensor pixelRows(const Tensor& images) {
        const bool large = images.size(2) > kPixelSide || images.size(3) > kPixelSide;
        const Tensor small = large ? at::adaptive_avg_pool2d(images, {kPixelSide, kPixelSide}) : images;
        return small.to(at::kFloat).reshape({images.size(0), -1});
    }

    /// Pixels are there already; keeping them would cost more than it saves.
    Tensor featuresOf(const UpdateInput& input) {
        return kind_.source == Source::Pixels ? frozenFeatures(input.images) : featuresOnce(input.images, input.views);
    }

    /// How many of the first images have not been in an update before.
    std::int64_t arrived(const UpdateInput& input) {
        const std::vector<std::int64_t> arriving = std::exchange(arriving_, {});
        if (input.samples.empty()) return std::min(std::ssize(arriving), input.images.size(0));
        std::size_t count = 0;
        for (const std::int64_t sample : arriving)
            if (count < input.samples.size() && input.samples[count] == sample) ++count;
        return static_cast<std::int64_t>(count);
    }

    Tensor scores(const Tensor& phi) const {
        NoGradGuard guard;
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
        switch (readout_) {
            case Readout::Ridge:
                weight_ = regression().contiguous();
                break;
            case Readout::ClassMean:
                weight_ = unitLength(statistics_.means(), 0).to(at::kFloat).contiguous();
                break;
            case Readout::Discriminant:
                discriminate();
                break;
        }
    }

    Tensor regression() {
        if (ridge_choice_ == RidgeChoice::Prequential) {
            const Tensor weight = prequential_.solve(statistics_, balanced_);
            ridge_ = prequential_.ridge();
            return weight;
        }
        if (ridge_choice_ == RidgeChoice::CrossValidation) ridge_ = gcvRidge(statistics_);
        return statistics_.solved(ridge_, balanced_);
    }

    void discriminate() {
        const Tensor means = statistics_.means();  // [D, C]
        const auto samples = static_cast<double>(computed_at_);
        const Tensor covariance = statistics_.within() / samples;
        const bool single = covariance.scalar_type() == at::kFloat;
        const double digits = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
        const double rounding = 16 * digits * statistics_.gram().diagonal().mean().item<double>() / samples;
        const Tensor shrunk = shrinks_by_oas_ ? oracleApproximated(covariance, samples, rounding)
                                              : (1 - kShrinkage) * covariance +
                                                    kShrinkage * at::eye(covariance.size(0), covariance.options());
        const std::optional<Tensor> weight = choleskySolved(shrunk, 0, means);  // [D, C]
        if (!weight)
            throw inputError("The covariance of " + std::to_string(covariance.size(0)) +
                                 " features cannot be inverted in single precision.",
                             "Take at most 4,096 features (method.random_features).");
        // The solver leaves columns in a row; a state that was restored has rows, and another order of sums.
        weight_ = weight->to(at::kFloat).contiguous();
        bias_ = (-0.5 * (means * *weight).sum(0)).to(at::kFloat);
    }

    Readout readout_;
    FeatureKind kind_;
    double ridge_;  // the one that was chosen last
    RidgeChoice ridge_choice_;
    bool balanced_, shrinks_by_oas_;
    RandomFeatures expansion_;
    RidgeStatistics statistics_;
    PrequentialRidge prequential_;
    Tensor weight_;  // [M, C]
    Tensor bias_;    // [C]
    Tensor known_;   // [C] has the class a sample?
    std::int64_t computed_at_ = 0;
    std::vector<std::int64_t> arriving_;  // samples of the batch, until its first update
};

}  // namespace

std::unique_ptr<Method> makeAnalyticHead(const MethodSetup& setup) {
    return std::make_unique<AnalyticHead>(setup);
}

}  // namespace palimpsest
