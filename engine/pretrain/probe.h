// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include "datasets/table/image_dataset.h"
#include "engine/network/vit.h"

namespace palimpsest {

/// The first training and test images of Fashion-MNIST. Throws Error(Input) when the data set is missing, damaged or
/// empty.
ImageDataset openProbeData(std::int64_t trainImages = 10'000, std::int64_t testImages = 5'000);

/// Accuracy, 0..1, of a linear classifier on frozen features: features standardised, multinomial logistic regression by
/// full-batch Adam. Absent if `stopping`, which is called regularly, ended it.
std::optional<double> linearProbe(
    const Vit& vit, const ImageDataset& data, const std::function<bool()>& stopping = [] { return false; });

}  // namespace palimpsest
