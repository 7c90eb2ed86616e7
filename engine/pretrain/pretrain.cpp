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

}  // namespace

std::int64_t pretrain(const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
                      const std::function<bool()>& stopping) {
    check(settings);
    checkWritable(settings.out);
    const std::optional<ImageDataset> probe = probeData(settings);
    const Compute compute = prepareCompute("auto", settings.precision, settings.threads);
    Vit vit(VitShape{}, compute.device);
    vit.initialise(Random(settings.seed, kInitialise));
    std::string history;
    if (!settings.from.empty()) {
        const TensorFile before = readSafetensors(settings.from);
        vit.load(before.tensors, settings.from.string());
        if (const auto command = before.metadata.find("command"); command != before.metadata.end())
            history = command->second + ", then from those weights: ";
    }
    vit.setComputeType(compute.type);
    vit.setTrainable(true);

    FormulaImages images = render(settings, vit.shape().image_size, compute.threads, stopping);
    if (images.size() == 0) return 0;
    images.setAugmentation(settings.augmentation);
    Tensor weight = at::zeros({images.classes(), vit.shape().width}, at::TensorOptions(compute.device));
    Random headRandom(settings.seed, kHead);
    fillTruncatedNormal(weight, headRandom, 0.02);
    Tensor bias = at::zeros({images.classes()}, weight.options());
    std::vector<NamedTensor> parameters = vit.parameters();
    parameters.push_back({"head.weight", weight.requires_grad_(true)});
    parameters.push_back({"head.bias", bias.requires_grad_(true)});
    const auto adam = makeOptimizer(
        {.learning_rate = settings.learning_rate, .weight_decay = kDecay, .decoupled_decay = true}, parameters);

    const std::array<float, 3> mean{images.mean(), images.mean(), images.mean()};
    const std::array<float, 3> deviation{images.deviation(), images.deviation(), images.deviation()};
    const auto save = [&](std::int64_t step, std::optional<double> accuracy) {
        std::map<std::string, std::string> metadata = {{"command", history + commandOf(settings)},
                                                       {"step", std::to_string(step)},
                                                       {"seed", std::to_string(settings.seed)}};
        if (accuracy)
            metadata["probe"] = "linear probe on Fashion-MNIST, " + std::to_string(settings.probe_train) +
                                " train and " + std::to_string(settings.probe_test) +
                                " test images: " + number(100 * *accuracy) + " %";
        saveBackbone(settings.out, vit, metadata);
    };
    auto lastReport = std::chrono::steady_clock::now();
    std::int64_t sinceReport = 0;
    for (std::int64_t step = 0; step < settings.steps; ++step) {
        adam->setLearningRate(learningRateAt(settings.learning_rate, step, settings.steps));
        const auto [bytes, labels] = images.batch(step, settings.batch_size);
        const Tensor targets = labels.to(compute.device);
        Tensor x = vit.embed(normalised(bytes.to(compute.device), mean, deviation));
        if (step < kWholeImages * static_cast<double>(settings.steps))
            x = keepPatches(x, settings.patch_keep, Random(settings.seed, kPatches, step));
        for (std::int64_t i = 0; i + 1 < vit.shape().depth; ++i) x = vit.block(i, x);
        const Tensor logits = at::linear(vit.classFeature(x), weight, bias);
        const Tensor loss = at::cross_entropy_loss(logits, targets, {}, at::Reduction::Mean, -100, kSmoothing);
        adam->zeroGradients();
        loss.backward();
        adam->step();

        ++sinceReport;
        bool ending = stopping();
        const bool probing =
            step + 1 == settings.steps || (settings.probe_every > 0 && (step + 1) % settings.probe_every == 0);
        if (!probing && !ending && (step + 1) % 50 != 0) continue;
        PretrainReport news;
        news.step = step + 1;
        news.loss = loss.item<double>();
        news.accuracy = (logits.argmax(1) == targets).to(at::kFloat).mean().item<double>();
        const auto now = std::chrono::steady_clock::now();
        news.images_per_second = static_cast<double>(sinceReport * settings.batch_size) /
                                 std::chrono::duration<double>(now - lastReport).count();
        if (!std::isfinite(news.loss))
            throw runError("The training diverged: the loss of step " + std::to_string(news.step) +
                               " is not finite, so " + settings.out.string() + " was left as it was.",
                           "Lower the learning rate and start again.");
        if (probing || ending) save(news.step, std::nullopt);
        if (probing && !ending && probe) {
            const std::optional<double> accuracy = linearProbe(vit, *probe, stopping);
            if (accuracy) save(news.step, accuracy);
            news.probe_accuracy = accuracy.value_or(-1);
            ending = !accuracy;
        }
        lastReport = std::chrono::steady_clock::now();
        sinceReport = 0;
        report(news);
        if (ending) return news.step;
    }
    return settings.steps;
}

double probeBackbone(const std::string& weights) {
    const Compute compute = prepareCompute("auto", "auto", 0);
    Vit vit = loadBackbone({"palimpsest-vit", weights}, 1, compute);
    return *linearProbe(vit, openProbeData());
}

}  // namespace palimpsest
