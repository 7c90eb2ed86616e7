// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/augment.h"

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

using enum ImageOp;

constexpr std::array<SubPolicy, 25> kCifar10 = {{
    {{{Invert, 0.1}, {Contrast, 0.2, 6}}},         {{{Rotate, 0.7, 2}, {TranslateX, 0.3, 9}}},
    {{{Sharpness, 0.8, 1}, {Sharpness, 0.9, 3}}},  {{{ShearY, 0.5, 8}, {TranslateY, 0.7, 9}}},
    {{{AutoContrast, 0.5}, {Equalize, 0.9}}},      {{{ShearY, 0.2, 7}, {Posterize, 0.3, 7}}},
    {{{Color, 0.4, 3}, {Brightness, 0.6, 7}}},     {{{Sharpness, 0.3, 9}, {Brightness, 0.7, 9}}},
    {{{Equalize, 0.6}, {Equalize, 0.5}}},          {{{Contrast, 0.6, 7}, {Sharpness, 0.6, 5}}},
    {{{Color, 0.7, 7}, {TranslateX, 0.5, 8}}},     {{{Equalize, 0.3}, {AutoContrast, 0.4}}},
    {{{TranslateY, 0.4, 3}, {Sharpness, 0.2, 6}}}, {{{Brightness, 0.9, 6}, {Color, 0.2, 8}}},
    {{{Solarize, 0.5, 2}, {Invert, 0.0}}},         {{{Equalize, 0.2}, {AutoContrast, 0.6}}},
    {{{Equalize, 0.2}, {Equalize, 0.6}}},          {{{Color, 0.9, 9}, {Equalize, 0.6}}},
    {{{AutoContrast, 0.8}, {Solarize, 0.2, 8}}},   {{{Brightness, 0.1, 3}, {Color, 0.7, 0}}},
    {{{Solarize, 0.4, 5}, {AutoContrast, 0.9}}},   {{{TranslateY, 0.9, 9}, {TranslateY, 0.7, 9}}},
    {{{AutoContrast, 0.9}, {Solarize, 0.8, 3}}},   {{{Equalize, 0.8}, {Invert, 0.1}}},
    {{{TranslateY, 0.7, 9}, {AutoContrast, 0.9}}},
}};

constexpr std::array<SubPolicy, 25> kImageNet = {{
    {{{Posterize, 0.4, 8}, {Rotate, 0.6, 9}}}, {{{Solarize, 0.6, 5}, {AutoContrast, 0.6}}},
    {{{Equalize, 0.8}, {Equalize, 0.6}}},      {{{Posterize, 0.6, 7}, {Posterize, 0.6, 6}}},
    {{{Equalize, 0.4}, {Solarize, 0.2, 4}}},   {{{Equalize, 0.4}, {Rotate, 0.8, 8}}},
    {{{Solarize, 0.6, 3}, {Equalize, 0.6}}},   {{{Posterize, 0.8, 5}, {Equalize, 1.0}}},
    {{{Rotate, 0.2, 3}, {Solarize, 0.6, 8}}},  {{{Equalize, 0.6}, {Posterize, 0.4, 6}}},
    {{{Rotate, 0.8, 8}, {Color, 0.4, 0}}},     {{{Rotate, 0.4, 9}, {Equalize, 0.6}}},
    {{{Equalize, 0.0}, {Equalize, 0.8}}},      {{{Invert, 0.6}, {Equalize, 1.0}}},
    {{{Color, 0.6, 4}, {Contrast, 1.0, 8}}},   {{{Rotate, 0.8, 8}, {Color, 1.0, 2}}},
    {{{Color, 0.8, 8}, {Solarize, 0.8, 7}}},   {{{Sharpness, 0.4, 7}, {Invert, 0.6}}},
    {{{ShearX, 0.6, 5}, {Equalize, 1.0}}},     {{{Color, 0.4, 0}, {Equalize, 0.6}}},
    {{{Equalize, 0.4}, {Solarize, 0.2, 4}}},   {{{Solarize, 0.6, 5}, {AutoContrast, 0.6}}},
    {{{Invert, 0.6}, {Equalize, 1.0}}},        {{{Color, 0.6, 4}, {Contrast, 1.0, 8}}},
    {{{Equalize, 0.8}, {Equalize, 0.6}}},
}};

constexpr std::array<SubPolicy, 25> kSvhn = {{
    {{{ShearX, 0.9, 4}, {Invert, 0.2}}},          {{{ShearY, 0.9, 8}, {Invert, 0.7}}},
    {{{Equalize, 0.6}, {Solarize, 0.6, 6}}},      {{{Invert, 0.9}, {Equalize, 0.6}}},
    {{{Equalize, 0.6}, {Rotate, 0.9, 3}}},        {{{ShearX, 0.9, 4}, {AutoContrast, 0.8}}},
    {{{ShearY, 0.9, 8}, {Invert, 0.4}}},          {{{ShearY, 0.9, 5}, {Solarize, 0.2, 6}}},
    {{{Invert, 0.9}, {AutoContrast, 0.8}}},       {{{Equalize, 0.6}, {Rotate, 0.9, 3}}},
    {{{ShearX, 0.9, 4}, {Solarize, 0.3, 3}}},     {{{ShearY, 0.8, 8}, {Invert, 0.7}}},
    {{{Equalize, 0.9}, {TranslateY, 0.6, 6}}},    {{{Invert, 0.9}, {Equalize, 0.6}}},
    {{{Contrast, 0.3, 3}, {Rotate, 0.8, 4}}},     {{{Invert, 0.8}, {TranslateY, 0.0, 2}}},
    {{{ShearY, 0.7, 6}, {Solarize, 0.4, 8}}},     {{{Invert, 0.6}, {Rotate, 0.8, 4}}},
    {{{ShearY, 0.3, 7}, {TranslateX, 0.9, 3}}},   {{{ShearX, 0.1, 6}, {Invert, 0.6}}},
    {{{Solarize, 0.7, 2}, {TranslateY, 0.6, 7}}}, {{{ShearY, 0.8, 4}, {Invert, 0.8}}},
    {{{ShearX, 0.7, 9}, {TranslateY, 0.8, 3}}},   {{{ShearY, 0.8, 5}, {AutoContrast, 0.7}}},
    {{{ShearX, 0.7, 2}, {Invert, 0.1}}},
}};

/// Number `bin` of ten from `from` to `to`, in float32 and computed from the nearer end, as torch.linspace does.
double level(double from, double to, int bin) {
    const auto first = static_cast<float>(from), last = static_cast<float>(to);
    const float step = (last - first) / 9;
    return bin < 5 ? first + step * static_cast<float>(bin) : last - step * static_cast<float>(9 - bin);
}

std::int64_t paddingOf(std::int64_t side) {
    return std::max<std::int64_t>(1, std::llround(4.0 * static_cast<double>(side) / 224.0));
}

struct Draw {
    Draw(const Augment& augment, std::int64_t pad, Random& random)
        : top(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * pad + 1)))),
          left(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * pad + 1)))),
          mirror(random.below(2) == 1) {
        for (int round = 0; augment.policy && round < augment.policy_rounds; ++round) rounds.emplace_back(random);
    }
    std::int64_t top, left;
    bool mirror;
    std::vector<AutoAugmentDraw> rounds;  // of AutoAugment, one a round
};

std::int64_t variantOf(const Draw& draw, std::int64_t pad) {
    const std::int64_t offsets = 2 * pad + 1;
    const auto fromCentre = [&](std::int64_t offset) { return (offset + pad + 1) % offsets; };
    return 2 * (fromCentre(draw.top) * offsets + fromCentre(draw.left)) + (draw.mirror ? 1 : 0);
}

Tensor varied(const Tensor& bytes, const Augment& augment, std::int64_t pad, const Draw& draw) {
    const std::int64_t side = bytes.size(2);
    Tensor moved =
        at::constant_pad_nd(bytes, {pad, pad, pad, pad}, 0).narrow(2, draw.top, side).narrow(3, draw.left, side);
    if (draw.mirror) moved = moved.flip(3);
    for (const AutoAugmentDraw& round : draw.rounds) moved = autoAugmented(moved, *augment.policy, round);
    return moved;
}

}  // namespace

std::optional<AutoAugmentPolicy> autoAugmentPolicy(const std::string& name) {
    if (name.empty()) return std::nullopt;
    if (name == "cifar10") return AutoAugmentPolicy::Cifar10;
    if (name == "imagenet") return AutoAugmentPolicy::ImageNet;
    if (name == "svhn") return AutoAugmentPolicy::Svhn;
    throw runError("There is no AutoAugment policy \"" + name + "\".");
}

std::span<const SubPolicy, 25> subPolicies(AutoAugmentPolicy policy) {
    return policy == AutoAugmentPolicy::Cifar10 ? kCifar10 : policy == AutoAugmentPolicy::ImageNet ? kImageNet : kSvhn;
}

double amountOf(ImageOp op, int bin, bool negative, std::int64_t height, std::int64_t width) {
    const double sign = negative ? -1 : 1;
    switch (op) {
        case ShearX:
        case ShearY:
            return sign * level(0, 0.3, bin);
        case TranslateX:
            return sign * level(0, 150.0 / 331.0 * static_cast<double>(width), bin);
        case TranslateY:
            return sign * level(0, 150.0 / 331.0 * static_cast<double>(height), bin);
        case Rotate:
            return sign * level(0, 30, bin);
        case Brightness:
        case Color:
        case Contrast:
        case Sharpness:
            return sign * level(0, 0.9, bin);
        case Posterize:
            return 8 - std::nearbyint(bin * 4.0 / 9.0);
        case Solarize:
            return level(255, 0, bin);
        case AutoContrast:
        case Equalize:
        case Invert:
            break;
    }
    return 0;
}

AutoAugmentDraw::AutoAugmentDraw(Random& random) {
    pair = static_cast<std::size_t>(random.below(25));
    for (double& value : number) value = random.uniform();
    for (bool& minus : negative) minus = random.below(2) == 0;
}

Tensor autoAugmented(const Tensor& bytes, AutoAugmentPolicy policy, const AutoAugmentDraw& draw) {
    const SubPolicy& steps = subPolicies(policy)[draw.pair];
    Tensor result = bytes;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (draw.number[i] <= steps[i].probability)
            result = changed(result, steps[i].op,
                             amountOf(steps[i].op, steps[i].bin, draw.negative[i], bytes.size(2), bytes.size(3)));
    return result;
}

Augment augmentOf(const TrainingOptions& training, const std::string& policy) {
    Augment augment(training.augment == "none" ? Augment::None : Augment::CropFlip);
    if (training.augment == "auto" || training.augment == "autoaugment")
        augment.policy = autoAugmentPolicy(policy);
    else if (training.augment != "none" && training.augment != "crop-flip")
        throw inputError("There is no augmentation \"" + training.augment + "\".",
                         "Choose auto, none, crop-flip or autoaugment.");
    if (training.augment == "autoaugment" && !augment.policy) augment.policy = AutoAugmentPolicy::ImageNet;
    if (training.augment_scope != "batch" && training.augment_scope != "image")
        throw inputError("There is no scope of augmentation \"" + training.augment_scope + "\".",
                         "Choose batch or image.");
    augment.scope = training.augment_scope == "image" ? Augment::Image : Augment::Batch;
    return augment;
}

Tensor augmented(const Tensor& bytes, const Augment& augment, Random random) {
    if (augment.kind == Augment::None) return bytes;
    const std::int64_t pad = paddingOf(bytes.size(2));
    if (augment.scope == Augment::Batch) return varied(bytes, augment, pad, Draw(augment, pad, random));
    std::vector<Draw> draws;
    for (std::int64_t i = 0; i < bytes.size(0); ++i) draws.emplace_back(augment, pad, random);
    Tensor result = at::empty_like(bytes);
    for (std::int64_t i = 0; i < bytes.size(0); ++i)
        result.narrow(0, i, 1).copy_(varied(bytes.narrow(0, i, 1), augment, pad, draws[static_cast<std::size_t>(i)]));
    return result;
}

std::vector<std::int64_t> variants(std::int64_t count, std::int64_t side, const Augment& augment, Random random) {
    if (augment.kind == Augment::None) return std::vector<std::int64_t>(static_cast<std::size_t>(count), 0);
    if (augment.policy) return {};
    const std::int64_t pad = paddingOf(side);
    std::vector<std::int64_t> numbers;
    for (std::int64_t i = 0; i < count; ++i)
        numbers.push_back(i > 0 && augment.scope == Augment::Batch ? numbers.front()
                                                                   : variantOf(Draw(augment, pad, random), pad));
    return numbers;
}

}  // namespace palimpsest
