// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/probe.h"

#include <algorithm>
#include <cmath>

#include "datasets/catalogue/catalogue.h"
#include "engine/data/picture_tensor.h"
#include "engine/optim/optimizer.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

enum ProbePurpose : std::uint64_t { kFewShots = 21, kRandomFeatures = 22 };
constexpr std::int64_t kProbeBatch = 250, kProbeIterations = 1000, kProbeSide = 32;
constexpr double kProbeRate = 0.1;   // falls linearly to zero, by which time the loss has settled
constexpr double kPixelRate = 0.01;  // pixels are neither standardised nor independent
constexpr std::int64_t kShots = 5, kDraws = 20, kRandomCount = 1000;
/// A seed that no pretraining uses.
constexpr std::uint64_t kUnseenSeed = 777'000'001;

ProbeSet::Part partOf(const ImageTable& table, const ImageDataset& data, std::int64_t first, std::int64_t count) {
    ProbeSet::Part part{at::empty({count, 3, kProbeSide, kProbeSide}, at::kByte), at::empty({count}, at::kLong)};
    for (std::int64_t i = 0; i < count; ++i) {
        storeImage(part.images, i,
                   loadedImage(table.image(first + i), data.load_shape, kProbeSide, /*train=*/false,
                               Random(static_cast<std::uint64_t>(first + i))));
        part.labels.data_ptr<std::int64_t>()[i] = table.labels()[static_cast<std::size_t>(first + i)];
    }
    return part;
}

ProbeSet setOf(const ImageDataset& data, const std::string& name) {
    return {name, {}, {}, data.mean, data.deviation, static_cast<std::int64_t>(data.class_names.size())};
}

ProbeSet drawnSet(const std::string& dataset, const std::string& name, std::int64_t classes, std::int64_t learned,
                  std::int64_t judged) {
    DatasetRequest request;
    request.name = dataset;
    request.classes = classes;
    request.seed = kUnseenSeed;
    request.train_each = learned;
    const ImageDataset data = openDataset(request);
    ProbeSet set = setOf(data, name);
    set.train = partOf(*data.train, data, 0, data.train->size());
    set.judged = partOf(*data.test, data, 0, std::min(data.test->size(), classes * judged));
    return set;
}

Tensor pixelsOf(const Tensor& images) {
    return images.to(at::kFloat).flatten(1) / 255;
}

/// Grey images have the same numbers three times.
bool isGrey(const Tensor& images) {
    return at::equal(images.select(1, 0), images.select(1, 1)) && at::equal(images.select(1, 0), images.select(1, 2));
}

/// Features of all images, [N, D]; undefined when stopped.
Tensor featuresOf(const Vit& vit, const ProbeSet& set, const Tensor& images, const ProbeStop& stopping) {
    NoGradGuard guard;
    std::vector<Tensor> parts;
    for (std::int64_t first = 0; first < images.size(0); first += kProbeBatch) {
        if (stopping()) return {};
        const std::int64_t n = std::min(kProbeBatch, images.size(0) - first);
        parts.push_back(vit.features(normalised(images.narrow(0, first, n).to(vit.device()), set.mean, set.deviation)));
    }
    return at::cat(parts).to(at::kCPU);
}

double shareRight(const Tensor& told, const Tensor& labels) {
    return static_cast<double>((told == labels).sum().item<std::int64_t>()) / static_cast<double>(labels.numel());
}

/// Softmax regression by full-batch Adam; absent if stopped.
std::optional<double> softmaxAccuracy(const Tensor& train, const Tensor& trainLabels, const Tensor& judged,
                                      const Tensor& labels, std::int64_t classes, double rate,
                                      const ProbeStop& stopping) {
    Tensor weight = at::zeros({classes, train.size(1)}).requires_grad_(true);
    Tensor bias = at::zeros({classes}).requires_grad_(true);
    const auto adam = makeOptimizer({.learning_rate = rate}, {{"weight", weight}, {"bias", bias}});
    for (std::int64_t i = 0; i < kProbeIterations; ++i) {
        if (stopping()) return std::nullopt;
        adam->setLearningRate(rate * (1 - static_cast<double>(i) / kProbeIterations));
        const Tensor loss = at::cross_entropy_loss(at::linear(train, weight, bias), trainLabels);
        adam->zeroGradients();
        loss.backward();
        adam->step();
    }
    NoGradGuard guard;
    return shareRight(at::linear(judged, weight, bias).argmax(1), labels);
}

/// Softmax regression on standardised features.
std::optional<double> linearAccuracy(const Tensor& train, const Tensor& trainLabels, const Tensor& judged,
                                     const Tensor& labels, std::int64_t classes, const ProbeStop& stopping) {
    const Tensor mean = train.mean(0, true), deviation = train.std(0, /*unbiased=*/false, /*keepdim=*/true) + 1e-6;
    return softmaxAccuracy((train - mean) / deviation, trainLabels, (judged - mean) / deviation, labels, classes,
                           kProbeRate, stopping);
}

double meanAccuracy(const Tensor& train, const Tensor& trainLabels, const Tensor& judged, const Tensor& labels,
                    std::int64_t classes) {
    const Tensor members = at::one_hot(trainLabels, classes).to(at::kFloat);
    const Tensor means = members.t().matmul(train) / members.sum(0).clamp_min(1).unsqueeze(1);
    return shareRight(at::cdist(judged, means).argmin(1), labels);
}

double fewShotAccuracy(const Tensor& train, const Tensor& trainLabels, const Tensor& judged, const Tensor& labels,
                       std::int64_t classes) {
    double sum = 0;
    for (std::int64_t draw = 0; draw < kDraws; ++draw) {
        std::vector<std::int64_t> order(static_cast<std::size_t>(train.size(0))), chosen;
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::int64_t>(i);
        Random(1, kFewShots, static_cast<std::uint64_t>(draw)).shuffle(order);
        std::vector<std::int64_t> taken(static_cast<std::size_t>(classes));
        const std::int64_t* label = trainLabels.data_ptr<std::int64_t>();
        for (const std::int64_t i : order)
            if (taken[static_cast<std::size_t>(label[i])]++ < kShots) chosen.push_back(i);
        const Tensor rows = at::tensor(chosen, at::kLong);
        sum += meanAccuracy(train.index_select(0, rows), trainLabels.index_select(0, rows), judged, labels, classes);
    }
    return sum / kDraws;
}

/// Ridge regression to one-hot labels: weights [D + 1, classes] of features with a column of ones.
Tensor ridgeWeights(const Tensor& x, const Tensor& targets, double lambda) {
    const Tensor gram = x.t().matmul(x) + lambda * at::eye(x.size(1), x.options());
    return at::cholesky_solve(x.t().matmul(targets), at::linalg_cholesky(gram));
}

/// Ridge regression on random ReLU features; its penalty is chosen on the last fifth of the training images.
double randomFeatureAccuracy(const Tensor& train, const Tensor& trainLabels, const Tensor& judged, const Tensor& labels,
                             std::int64_t classes) {
    Random random(1, kRandomFeatures);
    Tensor weight = at::empty({train.size(1) + 1, kRandomCount});
    fillTruncatedNormal(weight, random, 1 / std::sqrt(static_cast<double>(train.size(1))));
    const Tensor mean = train.mean(0, true);
    const auto expanded = [&](const Tensor& pixels) {
        const Tensor centred = pixels - mean, ones = at::ones({pixels.size(0), 1});
        return at::cat({at::relu(at::cat({centred, ones}, 1).matmul(weight)), ones}, 1).to(at::kDouble);
    };
    const Tensor x = expanded(train), y = expanded(judged), targets = at::one_hot(trainLabels, classes).to(at::kDouble);
    const std::int64_t most = train.size(0) * 4 / 5, rest = train.size(0) - most;
    double best = -1, lambda = 1;
    for (const double candidate : {1e-3, 1e-2, 1e-1, 1.0, 1e1}) {
        const Tensor w = ridgeWeights(x.narrow(0, 0, most), targets.narrow(0, 0, most), candidate);
        const double right = shareRight(x.narrow(0, most, rest).matmul(w).argmax(1), trainLabels.narrow(0, most, rest));
        if (right > best) best = right, lambda = candidate;
    }
    return shareRight(y.matmul(ridgeWeights(x, targets, lambda)).argmax(1), labels);
}

}  // namespace

ProbeSet clothesForProbe(bool test, std::int64_t learned, std::int64_t judged) {
    constexpr std::int64_t kJudgedFrom = 50'000;
    DatasetRequest request;
    request.name = "fashion-mnist";
    request.train_limit = test ? learned : kJudgedFrom + judged;
    request.test_limit = test ? judged : 1;
    const ImageDataset data = openDataset(request);
    const std::int64_t last = test ? data.test->size() : data.train->size() - kJudgedFrom;
    if (data.train->size() < learned || last < 1)
        throw inputError("The files of " + data.title + " hold too few images.",
                         "Install or download the data set again.");
    ProbeSet set = setOf(data, data.title);
    set.train = partOf(*data.train, data, 0, learned);
    set.judged = partOf(test ? *data.test : *data.train, data, test ? 0 : kJudgedFrom, std::min(judged, last));
    return set;
}

std::vector<ProbeSet> probeSets(bool test) {
    return {clothesForProbe(test, 10'000, test ? 5'000 : 10'000), drawnSet("fractals", "unseen fractals", 100, 20, 10),
            drawnSet("glyphs", "unseen fonts", 62, 30, 20)};
}

std::optional<double> linearProbe(const Vit& vit, const ProbeSet& set, const ProbeStop& stopping) {
    const Tensor train = featuresOf(vit, set, set.train.images, stopping),
                 judged = featuresOf(vit, set, set.judged.images, stopping);
    if (!train.defined() || !judged.defined()) return std::nullopt;
    return linearAccuracy(train, set.train.labels, judged, set.judged.labels, set.classes, stopping);
}

std::optional<ProbeScores> probed(const Vit& vit, const ProbeSet& set, const ProbeStop& stopping) {
    const Tensor train = featuresOf(vit, set, set.train.images, stopping),
                 judged = featuresOf(vit, set, set.judged.images, stopping);
    if (!train.defined() || !judged.defined()) return std::nullopt;
    const auto linear = linearAccuracy(train, set.train.labels, judged, set.judged.labels, set.classes, stopping);
    if (!linear) return std::nullopt;
    return ProbeScores{*linear, meanAccuracy(train, set.train.labels, judged, set.judged.labels, set.classes),
                       fewShotAccuracy(train, set.train.labels, judged, set.judged.labels, set.classes)};
}

ProbeScores probedPixels(const ProbeSet& set) {
    const bool grey = isGrey(set.train.images);
    const auto pixels = [&](const Tensor& images) { return pixelsOf(grey ? images.narrow(1, 0, 1) : images); };
    const Tensor train = pixels(set.train.images), judged = pixels(set.judged.images);
    const Tensor &trainLabels = set.train.labels, &labels = set.judged.labels;
    const double softmax =
        *softmaxAccuracy(train, trainLabels, judged, labels, set.classes, kPixelRate, [] { return false; });
    return {std::max(softmax, randomFeatureAccuracy(train, trainLabels, judged, labels, set.classes)),
            meanAccuracy(train, trainLabels, judged, labels, set.classes),
            fewShotAccuracy(train, trainLabels, judged, labels, set.classes)};
}

}  // namespace palimpsest
