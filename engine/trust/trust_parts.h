// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "datasets/catalogue/catalogue.h"
#include "engine/method/method.h"

namespace palimpsest {

// Generators of the checks, beside those of engine/support/random.h: which image gets which label, the order of test
// images, names of classes drawn anew.
namespace purpose {
inline constexpr std::uint64_t kTrustLabels = 40;
inline constexpr std::uint64_t kTrustOrder = 41;
inline constexpr std::uint64_t kTrustNames = 42;
}  // namespace purpose

/// What the checks are carried out on. A test puts made-up methods and data in their place.
struct TrustParts {
    std::function<ImageDataset(const DatasetRequest&)> open = openDataset;
    std::function<std::unique_ptr<Method>(const MethodSetup&)> make_method = makeMethod;
};

}  // namespace palimpsest
