// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/network/vit.h"

namespace palimpsest {

/// Accuracy, 0..1, of a linear classifier on frozen features: Fashion-MNIST, the first training and test images,
/// features standardised, multinomial logistic regression by full-batch Adam. Throws Error(Input) when the
/// data set is missing.
double linearProbe(const Vit& vit, std::int64_t trainImages = 10'000, std::int64_t testImages = 5'000);

}  // namespace palimpsest
