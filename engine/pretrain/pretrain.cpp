// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <cmath>
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
#include "engine/pretrain/formula_images.h"
#include "engine/pretrain/pretrain.h"
#include "engine/pretrain/probe.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

enum Purpose : std::uint64_t { kInitialise = 1, kHead = 2, kPatches = 3 };
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

std::string commandOf(const PretrainSettings& s) {
    return "palimpsest-cli pretrain --classes " + std::to_string(s.classes) + " --contours " +
           std::to_string(s.contour_classes) + " --instances " + std::to_string(s.instances) + " --steps " +
           std::to_string(s.steps) + " --batch-size " + std::to_string(s.batch_size) + " --learning-rate " +
           number(s.learning_rate) + " --patch-keep " + number(s.patch_keep) + " --augmentation " +
           number(s.augmentation) + " --seed " + std::to_string(s.seed);
}

void check(const PretrainSettings& s) {
    if (s.classes < 0 || s.contour_classes < 0 || s.classes + s.contour_classes < 2 || s.instances < 1 || s.steps < 1 ||
        s.batch_size < 1 || s.learning_rate <= 0 || s.patch_keep <= 0 || s.patch_keep > 1 || s.augmentation < 0 ||
        s.augmentation > 2)
        throw inputError("The pretraining needs at least two classes and positive numbers throughout.",
                         "See palimpsest-cli pretrain --help.");
    if ((s.classes + s.contour_classes) * s.instances > 2'000'000)
        throw inputError("More than two million rendered images would not fit in memory.",
                         "Use fewer classes or instances.");
}

/// Data set of the probe; absent without a probe.
std::optional<ImageDataset> probeData(const PretrainSettings& settings) {
    if (settings.probe_train == 0) return std::nullopt;
    try {
        return openProbeData(settings.probe_train, settings.probe_test);
    } catch (const Error& error) {
        throw Error(error.kind(), error.what(),
                    "Install dataset-fashion-mnist, set PALIMPSEST_DATA to the folder of its files, or go without the "
                    "linear probe (--no-probe).");
    }
}

FormulaImages render(const PretrainSettings& settings, std::int64_t side, int threads,
                     const std::function<bool()>& stopping) {
    const auto tooLarge = [] {
        return runError("The rendered images do not fit in memory.", "Use fewer classes or instances.");
    };
    try {
        return FormulaImages(settings.classes, settings.contour_classes, settings.instances, settings.seed,
                             static_cast<int>(side), threads, stopping);
    } catch (const std::bad_alloc&) {
        throw tooLarge();
    } catch (const cv::Exception& error) {
        if (error.code == cv::Error::StsNoMem) throw tooLarge();
        throw;
    }
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
          images_(render(settings, vit_.shape().image_size, compute_.threads, stopping)) {}

    /// Returns the steps learned.
    std::int64_t run() {
        if (images_.size() == 0) return 0;
        images_.setAugmentation(settings_.augmentation);
        makeHead();
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
        Tensor loss, logits, targets;
    };

    Vit startingNetwork() {
        Vit vit(VitShape{}, compute_.device);
        vit.initialise(Random(settings_.seed, kInitialise));
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

    /// Makes the classifier on the features, and the optimiser of both.
    void makeHead() {
        weight_ = at::zeros({images_.classes(), vit_.shape().width}, at::TensorOptions(compute_.device));
        Random random(settings_.seed, kHead);
        fillTruncatedNormal(weight_, random, 0.02);
        bias_ = at::zeros({images_.classes()}, weight_.options());
        std::vector<NamedTensor> parameters = vit_.parameters();
        parameters.push_back({"head.weight", weight_.requires_grad_(true)});
        parameters.push_back({"head.bias", bias_.requires_grad_(true)});
        adam_ = makeOptimizer(
            {.learning_rate = settings_.learning_rate, .weight_decay = kDecay, .decoupled_decay = true}, parameters);
    }

    Learned learn(std::int64_t step) {
        adam_->setLearningRate(learningRateAt(settings_.learning_rate, step, settings_.steps));
        const std::array<float, 3> mean{images_.mean(), images_.mean(), images_.mean()};
        const std::array<float, 3> deviation{images_.deviation(), images_.deviation(), images_.deviation()};
        const auto [bytes, labels] = images_.batch(step, settings_.batch_size);
        const Tensor targets = labels.to(compute_.device);
        Tensor x = vit_.embed(normalised(bytes.to(compute_.device), mean, deviation));
        if (step < kWholeImages * static_cast<double>(settings_.steps))
            x = keepPatches(x, settings_.patch_keep, Random(settings_.seed, kPatches, step));
        for (std::int64_t i = 0; i + 1 < vit_.shape().depth; ++i) x = vit_.block(i, x);
        const Tensor logits = at::linear(vit_.classFeature(x), weight_, bias_);
        const Tensor loss = at::cross_entropy_loss(logits, targets, {}, at::Reduction::Mean, -100, kSmoothing);
        adam_->zeroGradients();
        loss.backward();
        adam_->step();
        return {loss, logits, targets};
    }

    /// False when the training is to end after this step, also because its probe was stopped.
    bool saveAndReport(std::int64_t step, const Learned& learned, bool probing, bool ending) {
        PretrainReport result;
        result.step = step;
        result.loss = learned.loss.item<double>();
        result.accuracy = (learned.logits.argmax(1) == learned.targets).to(at::kFloat).mean().item<double>();
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
                                " train and " + std::to_string(settings_.probe_test) +
                                " test images: " + number(100 * *accuracy) + " %";
        saveBackbone(settings_.out, vit_, metadata);
    }

    const PretrainSettings& settings_;
    const std::function<void(const PretrainReport&)>& report_;
    const std::function<bool()>& stopping_;
    const std::optional<ImageDataset> probe_;
    const Compute compute_;
    std::string history_;  // commands that made the starting weights
    Vit vit_;
    FormulaImages images_;
    Tensor weight_, bias_;
    std::unique_ptr<Optimizer> adam_;
    Clock::time_point last_report_{};
    std::int64_t since_report_ = 0;
};

}  // namespace

std::int64_t pretrain(const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
                      const std::function<bool()>& stopping) {
    check(settings);
    checkWritable(settings.out);
    return Pretraining(settings, report, stopping).run();
}

double probeBackbone(const std::string& weights) {
    const Compute compute = prepareCompute("auto", "auto", 0);
    Vit vit = loadBackbone({"palimpsest-vit", weights}, 1, compute);
    return *linearProbe(vit, openProbeData());
}

}  // namespace palimpsest
