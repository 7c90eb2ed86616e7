// SPDX-License-Identifier: GPL-3.0-or-later
#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <opencv2/core.hpp>
#include <optional>
#include <sstream>

#include "engine/data/picture_tensor.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/network/vit.h"
#include "engine/network/weights.h"
#include "engine/optim/optimizer.h"
#include "engine/pretrain/composer.h"
#include "engine/pretrain/pretrain.h"
#include "engine/pretrain/probe.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

enum PretrainPurpose : std::uint64_t { kFirstWeights = 1, kHeads = 2, kKeptPatches = 3, kStatistics = 4 };
constexpr std::int64_t kStatisticsImages = 2048;
constexpr double kWarmUp = 0.05;       // share of the steps
constexpr double kWholeImages = 0.85;  // from this share on all patches are shown, as in later use
constexpr double kDecay = 0.05, kSmoothing = 0.1;

/// Learning rate of one cycle: linear warm-up, then a cosine down to zero.
double learningRateAt(double peak, std::int64_t step, std::int64_t steps) {
    const double t = static_cast<double>(step) / static_cast<double>(steps);
    if (t < kWarmUp) return peak * (t + 1.0 / static_cast<double>(steps)) / kWarmUp;
    return peak * 0.5 * (1 + std::cos(M_PI * (t - kWarmUp) / (1 - kWarmUp)));
}

/// The class token and a random share of the patches, the same for the whole batch.
Tensor keepPatches(const Tensor& tokens, double share, Random random) {
    const std::int64_t patches = tokens.size(1) - 1;
    const auto kept = std::max<std::int64_t>(1, std::llround(share * static_cast<double>(patches)));
    if (kept >= patches) return tokens;
    std::vector<std::int64_t> order(static_cast<std::size_t>(patches));
    for (std::int64_t i = 0; i < patches; ++i) order[static_cast<std::size_t>(i)] = i + 1;
    random.shuffle(order);
    order.resize(static_cast<std::size_t>(kept));
    order.push_back(0);
    std::sort(order.begin(), order.end());
    return tokens.index_select(1, at::tensor(order, at::kLong).to(tokens.device()));
}

std::string number(double value) {
    std::ostringstream out;
    out.precision(6);
    out << value;
    return out.str();
}

template <class Number>
std::string listed(const std::vector<Number>& numbers) {
    std::string text;
    for (const Number each : numbers) text += (text.empty() ? "" : ",") + number(static_cast<double>(each));
    return text;
}

std::string commandOf(const PretrainSettings& s) {
    const std::string folders =
        (s.fonts.empty() ? "" : " --fonts FONTS") + std::string(s.pictures.empty() ? "" : " --pictures PICTURES");
    return "palimpsest-cli pretrain --classes " + std::to_string(s.classes) + " --contours " +
           std::to_string(s.contour_classes) + " --instances " + std::to_string(s.instances) + " --steps " +
           std::to_string(s.steps) + " --batch-size " + std::to_string(s.batch_size) + " --learning-rate " +
           number(s.learning_rate) + " --patch-keep " + number(s.patch_keep) + " --augmentation " +
           number(s.augmentation) + " --width " + std::to_string(s.width) + " --depth " + std::to_string(s.depth) +
           " --heads " + std::to_string(s.heads) + " --mlp-ratio " + std::to_string(s.mlp_ratio) + " --stem " +
           listed(s.stem) + " --shares " + listed(s.shares) + " --shapes " + number(s.shape_weight) + folders +
           " --seed " + std::to_string(s.seed);
}

void check(const PretrainSettings& s) {
    if (s.classes < 0 || s.contour_classes < 0 ||
        (s.fonts.empty() && s.pictures.empty() && s.classes + s.contour_classes < 2) || s.instances < 1 ||
        s.steps < 1 || s.batch_size < 1 || s.learning_rate <= 0 || s.patch_keep <= 0 || s.patch_keep > 1 ||
        s.augmentation < 0 || s.augmentation > 2 || s.shares.size() != std::tuple_size_v<GroupShares> ||
        std::any_of(s.shares.begin(), s.shares.end(), [](double share) { return !(share >= 0 && share <= 1e6); }))
        throw inputError("The pretraining needs at least two classes, four shares and positive numbers throughout.",
                         "See palimpsest-cli pretrain --help.");
    if ((s.classes + s.contour_classes) * s.instances > 1'000'000)
        throw inputError("More than a million rendered images would not fit in memory.",
                         "Use fewer classes or instances.");
}

/// Throws Error(Input) for a network that cannot be.
void check(const VitShape& shape) {
    const auto refuse = [](const std::string& what) { throw inputError(what, "See palimpsest-cli pretrain --help."); };
    if (shape.width % shape.heads != 0)
        refuse(std::to_string(shape.heads) + " heads cannot share the width " + std::to_string(shape.width) + ".");
    for (std::size_t i = 0; i < shape.stem.size(); ++i)
        if (shape.stem[i] < 1 || shape.stem[i] % 16 != 0 || shape.stem[i] < shape.stemInputs(i))
            refuse("Layer " + std::to_string(i + 1) + " of the stem has " + std::to_string(shape.stem[i]) +
                   " channels, where a multiple of 16 is needed that is no less than the layer before has.");
    if (shape.stem.size() > kMostStemLayers)
        refuse("The stem has more than " + std::to_string(kMostStemLayers) + " layers.");
    if (shape.mapStep() > shape.patch_size)
        refuse("The stem halves the picture so often that less than a pixel is left of a patch.");
}

/// Data set of the probe; absent without a probe.
std::optional<ProbeSet> probeData(const PretrainSettings& settings) {
    if (settings.probe_train == 0) return std::nullopt;
    try {
        return clothesForProbe(/*test=*/false, settings.probe_train, settings.probe_test);
    } catch (const Error& error) {
        throw Error(error.kind(), error.what(),
                    "Install dataset-fashion-mnist, set PALIMPSEST_DATA to the folder of its files, or go without the "
                    "linear probe (--no-probe).");
    }
}

Drawings drawingsFor(const PretrainSettings& settings, int threads, const std::function<bool()>& stopping) {
    const auto tooLarge = [] {
        return runError("The rendered images do not fit in memory.", "Use fewer classes or instances.");
    };
    try {
        return makeDrawings({.fractals = settings.classes,
                             .contours = settings.contour_classes,
                             .instances = settings.instances,
                             .fonts = settings.fonts,
                             .pictures = settings.pictures,
                             .seed = settings.seed,
                             .threads = threads},
                            stopping);
    } catch (const std::bad_alloc&) {
        throw tooLarge();
    } catch (const cv::Exception& error) {
        if (error.code == cv::Error::StsNoMem) throw tooLarge();
        throw;
    }
}

VitShape shapeOf(const PretrainSettings& settings) {
    VitShape shape;
    shape.width = settings.width;
    shape.depth = settings.depth;
    shape.heads = settings.heads;
    shape.mlp_ratio = settings.mlp_ratio;
    shape.stem = settings.stem;
    if (!shape.stem.empty()) shape.patch_size = 8;
    return shape;
}

/// One pretraining, from the starting weights to the last step.
class Pretraining {
public:
    Pretraining(const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
                const std::function<bool()>& stopping)
        : settings_(settings),
          report_(report),
          stopping_(stopping),
          probe_(probeData(settings)),
          compute_(prepareCompute("auto", settings.precision, settings.threads)),
          vit_(startingNetwork()),
          drawings_(drawingsFor(settings, compute_.threads, stopping)) {}

    /// Returns the steps learned.
    std::int64_t run() {
        if (drawings_.empty()) return 0;
        composer_.emplace(drawings_, shares(), settings_.augmentation, settings_.seed);
        measure();
        makeHeads();
        last_report_ = Clock::now();
        for (std::int64_t step = 0; step < settings_.steps; ++step) {
            const Learned learned = learn(step);
            ++since_report_;
            const bool ending = stopping_();
            const bool probing =
                step + 1 == settings_.steps || (settings_.probe_every > 0 && (step + 1) % settings_.probe_every == 0);
            if (!probing && !ending && (step + 1) % kReportEvery != 0) continue;
            if (!saveAndReport(step + 1, learned, probing, ending)) return step + 1;
        }
        return settings_.steps;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::int64_t kReportEvery = 50;
    struct Learned {
        Tensor loss, shape_error;
        Tensor right;  ///< labels that were told right
        std::int64_t labels = 0;
    };
    struct Head {
        Tensor weight, bias;
    };

    GroupShares shares() const {
        GroupShares shares{};
        std::copy(settings_.shares.begin(), settings_.shares.end(), shares.begin());
        return shares;
    }

    Vit startingNetwork() {
        Vit vit(shapeOf(settings_), compute_.device);
        vit.initialise(Random(settings_.seed, kFirstWeights));
        if (!settings_.from.empty()) {
            const TensorFile before = readSafetensors(settings_.from);
            vit.load(before.tensors, settings_.from.string());
            if (const auto command = before.metadata.find("command"); command != before.metadata.end())
                history_ = command->second + ", then from those weights: ";
        }
        vit.setComputeType(compute_.type);
        vit.setTrainable(true);
        return vit;
    }

    /// Mean and deviation of the pictures' pixels and of the shape numbers.
    void measure() {
        const ComposedBatch sample =
            Composer(drawings_, shares(), settings_.augmentation, Random(settings_.seed, kStatistics).longWord())
                .batch(0, kStatisticsImages);
        const Tensor pixels = sample.pictures.to(at::kFloat) / 255;
        mean_.fill(pixels.mean().item<float>());
        deviation_.fill(pixels.std(/*unbiased=*/false).item<float>());
        shape_mean_ = sample.shapes.mean(0, true).to(compute_.device);
        shape_deviation_ = (sample.shapes.std(0, /*unbiased=*/false, /*keepdim=*/true) + 1e-3).to(compute_.device);
    }

    /// Makes a classifier on the features for each label space and the regression of the shapes, and the optimiser.
    void makeHeads() {
        Random random(settings_.seed, kHeads);
        std::vector<NamedTensor> parameters = vit_.parameters();
        const auto head = [&](std::int64_t outputs, const std::string& name) {
            Head made{at::zeros({outputs, vit_.shape().width}, at::TensorOptions(compute_.device)),
                      at::zeros({outputs}, at::TensorOptions(compute_.device))};
            fillTruncatedNormal(made.weight, random, 0.02);
            parameters.push_back({name + ".weight", made.weight.requires_grad_(true)});
            parameters.push_back({name + ".bias", made.bias.requires_grad_(true)});
            return made;
        };
        for (std::size_t s = 0; s < kLabelSpaces; ++s)
            if (drawings_.classes[s] > 0)
                heads_[s] = head(drawings_.classes[s], "head." + labelSpaceName(static_cast<LabelSpace>(s)));
        shape_head_ = head(kShapeNumbers, "head.shapes");
        adam_ = makeOptimizer(
            {.learning_rate = settings_.learning_rate, .weight_decay = kDecay, .decoupled_decay = true}, parameters);
    }

    Learned learn(std::int64_t step) {
        adam_->setLearningRate(learningRateAt(settings_.learning_rate, step, settings_.steps));
        const ComposedBatch batch = composer_->batch(step, settings_.batch_size);
        Tensor x = vit_.embed(normalised(batch.pictures.to(compute_.device), mean_, deviation_));
        if (step < kWholeImages * static_cast<double>(settings_.steps))
            x = keepPatches(x, settings_.patch_keep, Random(settings_.seed, kKeptPatches, step));
        for (std::int64_t i = 0; i + 1 < vit_.shape().depth; ++i) x = vit_.block(i, x);
        const Tensor feature = vit_.classFeature(x);
        Learned learned;
        learned.right = at::zeros({}, at::TensorOptions(at::kLong).device(compute_.device));
        learned.loss = at::zeros({}, at::TensorOptions(compute_.device));
        for (std::size_t s = 0; s < kLabelSpaces; ++s) {
            const Tensor which = batch.labels[s].ge(0).nonzero().flatten();
            if (which.numel() == 0) continue;
            const Tensor rows = which.to(compute_.device),
                         targets = batch.labels[s].index_select(0, which).to(compute_.device);
            const Tensor logits = at::linear(feature.index_select(0, rows), heads_[s].weight, heads_[s].bias);
            learned.loss =
                learned.loss + at::cross_entropy_loss(logits, targets, {}, at::Reduction::Sum, -100, kSmoothing);
            learned.right += (logits.detach().argmax(1) == targets).sum();
            learned.labels += targets.numel();
        }
        learned.loss = learned.loss / static_cast<double>(settings_.batch_size);
        const Tensor shapes = (batch.shapes.to(compute_.device) - shape_mean_) / shape_deviation_;
        const Tensor told = at::linear(feature, shape_head_.weight, shape_head_.bias);
        learned.shape_error = at::mse_loss(told, shapes);
        learned.loss = learned.loss + settings_.shape_weight * learned.shape_error;
        adam_->zeroGradients();
        learned.loss.backward();
        adam_->step();
        return learned;
    }

    /// False when the training is to end after this step, also because its probe was stopped.
    bool saveAndReport(std::int64_t step, const Learned& learned, bool probing, bool ending) {
        PretrainReport result;
        result.step = step;
        result.loss = learned.loss.item<double>();
        result.accuracy = static_cast<double>(learned.right.item<std::int64_t>()) / static_cast<double>(learned.labels);
        result.shape_error = learned.shape_error.item<double>();
        result.images_per_second = static_cast<double>(since_report_ * settings_.batch_size) /
                                   std::chrono::duration<double>(Clock::now() - last_report_).count();
        if (!std::isfinite(result.loss))
            throw runError("The training diverged: the loss of step " + std::to_string(step) + " is not finite, so " +
                               settings_.out.string() + " was left as it was.",
                           "Lower the learning rate and start again.");
        if (probing || ending) save(step, std::nullopt);
        if (probing && !ending && probe_) {
            const std::optional<double> accuracy = linearProbe(vit_, *probe_, stopping_);
            if (accuracy) save(step, accuracy);
            result.probe_accuracy = accuracy.value_or(-1);
            ending = !accuracy;
        }
        last_report_ = Clock::now();
        since_report_ = 0;
        report_(result);
        return !ending;
    }

    /// `accuracy`: of the probe; absent: not measured.
    void save(std::int64_t step, std::optional<double> accuracy) const {
        std::map<std::string, std::string> metadata = {{"command", history_ + commandOf(settings_)},
                                                       {"step", std::to_string(step)},
                                                       {"seed", std::to_string(settings_.seed)}};
        if (accuracy)
            metadata["probe"] = "linear probe on Fashion-MNIST, " + std::to_string(settings_.probe_train) +
                                " images, judged on " + std::to_string(settings_.probe_test) +
                                " others of the training file: " + number(100 * *accuracy) + " %";
        saveBackbone(settings_.out, vit_, metadata);
    }

    const PretrainSettings& settings_;
    const std::function<void(const PretrainReport&)>& report_;
    const std::function<bool()>& stopping_;
    const std::optional<ProbeSet> probe_;
    const Compute compute_;
    std::string history_;  // commands that made the starting weights
    Vit vit_;
    Drawings drawings_;
    std::optional<Composer> composer_;
    std::array<float, 3> mean_{}, deviation_{};  // of the pictures' channels
    Tensor shape_mean_, shape_deviation_;
    std::array<Head, kLabelSpaces> heads_;
    Head shape_head_;
    std::unique_ptr<Optimizer> adam_;
    Clock::time_point last_report_{};
    std::int64_t since_report_ = 0;
};

}  // namespace

std::int64_t pretrain(const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
                      const std::function<bool()>& stopping) {
    check(settings);
    check(shapeOf(settings));
    checkWritable(settings.out);
    // Memory of one step serves the next: returning it to the system costs a fifth of the time.
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, 1 << 28);
    return Pretraining(settings, report, stopping).run();
}

std::vector<ProbeRow> probeBackbones(const std::vector<std::string>& weights, bool test) {
    const Compute compute = prepareCompute("auto", "auto", 0);
    std::vector<Vit> networks;
    for (const std::string& one : weights) {
        BackboneOptions options{std::string(kEmbeddedBackbones[0]), one};
        if (isEmbeddedBackbone(one)) options = {one, "embedded"};
        networks.push_back(loadBackbone(options, 1, compute));
    }
    std::vector<ProbeRow> rows;
    for (const std::string& one : weights) rows.push_back({one, {}});
    rows.push_back({"raw pixels", {}});
    for (const ProbeSet& set : probeSets(test)) {
        for (std::size_t i = 0; i < networks.size(); ++i) rows[i].sets.push_back({set.name, *probed(networks[i], set)});
        rows.back().sets.push_back({set.name, probedPixels(set)});
    }
    return rows;
}

}  // namespace palimpsest
