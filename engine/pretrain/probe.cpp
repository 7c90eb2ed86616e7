// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/probe.h"

#include "datasets/catalogue/catalogue.h"
#include "engine/data/picture_tensor.h"
#include "engine/optim/optimizer.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kBatch = 250, kIterations = 1000;
constexpr double kRate = 0.1;  // falls linearly to zero, by which time the loss has settled

/// Features of all images, [N, D]; undefined when stopped.
Tensor featuresOf(const Vit& vit, const ImageTable& table, const ImageDataset& data,
                  const std::function<bool()>& stopping) {
    NoGradGuard guard;
    const std::int64_t count = table.size();
    const auto side = vit.shape().image_size;
    std::vector<Tensor> parts;
    for (std::int64_t first = 0; first < count; first += kBatch) {
        if (stopping()) return {};
        const std::int64_t n = std::min(kBatch, count - first);
        Tensor bytes = at::empty({n, 3, side, side}, at::kByte);
        for (std::int64_t i = 0; i < n; ++i)
            storeImage(bytes, i,
                       loadedImage(table.image(first + i), data.load_shape, static_cast<int>(side), /*train=*/false,
                                   Random(static_cast<std::uint64_t>(first + i))));
        parts.push_back(vit.features(normalised(bytes.to(vit.device()), data.mean, data.deviation)));
    }
    return at::cat(parts);
}

Tensor labelsOf(const ImageTable& table, at::Device device) {
    Tensor labels = at::empty({table.size()}, at::kLong);
    for (std::int64_t i = 0; i < table.size(); ++i)
        labels.data_ptr<std::int64_t>()[i] = table.labels()[static_cast<std::size_t>(i)];
    return labels.to(device);
}

}  // namespace

ImageDataset openProbeData(std::int64_t trainImages, std::int64_t testImages) {
    DatasetRequest request;
    request.name = "fashion-mnist";
    request.train_limit = trainImages;
    request.test_limit = testImages;
    ImageDataset data = openDataset(request);
    if (data.train->size() == 0 || data.test->size() == 0)
        throw inputError("The files of " + data.title + " hold no images.", "Install or download the data set again.");
    return data;
}

std::optional<double> linearProbe(const Vit& vit, const ImageDataset& data, const std::function<bool()>& stopping) {
    Tensor train = featuresOf(vit, *data.train, data, stopping), test = featuresOf(vit, *data.test, data, stopping);
    if (!train.defined() || !test.defined()) return std::nullopt;
    const Tensor mean = train.mean(0, true), deviation = train.std(0, /*unbiased=*/false, /*keepdim=*/true) + 1e-6;
    train = (train - mean) / deviation;
    test = (test - mean) / deviation;
    const Tensor trainLabels = labelsOf(*data.train, vit.device()), testLabels = labelsOf(*data.test, vit.device());

    const auto classes = static_cast<std::int64_t>(data.class_names.size());
    Tensor weight = at::zeros({classes, train.size(1)}, train.options()).requires_grad_(true);
    Tensor bias = at::zeros({classes}, train.options()).requires_grad_(true);
    const auto adam = makeOptimizer({.learning_rate = kRate}, {{"weight", weight}, {"bias", bias}});
    for (std::int64_t i = 0; i < kIterations; ++i) {
        if (stopping()) return std::nullopt;
        adam->setLearningRate(kRate * (1 - static_cast<double>(i) / kIterations));
        const Tensor loss = at::cross_entropy_loss(at::linear(train, weight, bias), trainLabels);
        adam->zeroGradients();
        loss.backward();
        adam->step();
    }
    NoGradGuard guard;
    const Tensor right = at::linear(test, weight, bias).argmax(1) == testLabels;
    return static_cast<double>(right.sum().item<std::int64_t>()) / static_cast<double>(testLabels.numel());
}

}  // namespace palimpsest
