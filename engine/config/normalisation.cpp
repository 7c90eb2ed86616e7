// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/normalisation.h"

#include <cmath>
#include <optional>
#include <sstream>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// One number for all channels, or one for each. Absent for anything else.
std::optional<std::array<float, 3>> channels(const std::string& text) {
    std::istringstream in(text);
    in.imbue(std::locale::classic());
    std::vector<float> numbers;
    for (float number = 0; in >> number;) numbers.push_back(number);
    if (!in.eof() || (numbers.size() != 1 && numbers.size() != 3)) return std::nullopt;
    for (const float number : numbers)
        if (!std::isfinite(number)) return std::nullopt;
    if (numbers.size() == 1) numbers.resize(3, numbers.front());
    return std::array<float, 3>{numbers[0], numbers[1], numbers[2]};
}

}  // namespace

Normalisation normalisationOf(const std::string& text) {
    using Origin = Normalisation::Origin;
    if (text == "data-set") return {};
    if (text == "imagenet") return {Origin::ImageNet};
    if (text == "cifar100") return {Origin::Cifar100};
    if (text == "none") return {Origin::Numbers};
    if (text == "half") return {Origin::Numbers, {0.5F, 0.5F, 0.5F}, {0.5F, 0.5F, 0.5F}};
    if (const std::size_t slash = text.find('/'); slash != std::string::npos) {
        const auto mean = channels(text.substr(0, slash));
        const auto deviation = channels(text.substr(slash + 1));
        if (mean && deviation && (*deviation)[0] > 0 && (*deviation)[1] > 0 && (*deviation)[2] > 0)
            return {Origin::Numbers, *mean, *deviation};
    }
    throw inputError("stream.normalise is \"" + plainLine(text) +
                         "\", but must be data-set, imagenet, cifar100, half, none, or means and deviations above 0 "
                         "such as 0.5 0.5 0.5 / 0.2 0.2 0.2.",
                     "`palimpsest-cli options` explains it.");
}

}  // namespace palimpsest
