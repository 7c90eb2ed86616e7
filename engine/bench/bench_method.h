// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/method/method.h"
#include "engine/network/vit.h"
#include "engine/train/evaluator.h"

namespace palimpsest {

constexpr std::int64_t kBenchClasses = 10;

/// Shape of the network of the paper's experiments.
constexpr VitShape kVitB16{224, 16, 3, 768, 12, 12, 4};

/// Random images: speed does not depend on what they show.
class NoiseTest : public TestSource {
public:
    explicit NoiseTest(std::int64_t count, std::int64_t side = 32)
        : images_(at::zeros({count, 3, side, side})), labels_(static_cast<std::size_t>(count)) {
        Random random(1);
        fillUniform(images_, random, -1, 1);
        for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i] = static_cast<std::int32_t>(i % kBenchClasses);
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        const std::vector<std::int64_t> rows(samples.begin(), samples.end());
        return {images_.index_select(0, at::tensor(rows, at::kLong)), rows};
    }

private:
    Tensor images_;
    std::vector<std::int32_t> labels_;
};

/// A batch of random images under the seen mask.
UpdateInput noiseBatch(std::int64_t images, std::int64_t side);

/// A method on a backbone of random weights: speed does not depend on the weights.
std::shared_ptr<Method> benchMethod(const std::string& name, at::ScalarType type, const VitShape& shape = {});

}  // namespace palimpsest
