// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "engine/config/experiment.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// Operations of AutoAugment (Cubuk et al., CVPR 2019, table 6).
enum class ImageOp {
    ShearX,  ///< amount: tangent; the top left corner stays
    ShearY,
    TranslateX,    ///< amount: pixels to the right, truncated to whole ones
    TranslateY,    ///< downwards
    Rotate,        ///< amount: degrees, anticlockwise about the centre
    Brightness,    ///< amount: 0 leaves the image, -1 black, 1 twice as bright
    Color,         ///< -1 grey
    Contrast,      ///< -1 its mean grey
    Sharpness,     ///< -1 smoothed
    Posterize,     ///< amount: bits kept, 1..8
    Solarize,      ///< amount: bytes of at least this value are inverted
    AutoContrast,  ///< no amount
    Equalize,
    Invert,
};

/// Applies one operation to bytes [B, 3, H, W] on any device, each image by itself, as torchvision 0.14
/// does on byte tensors (transforms/functional_tensor.py): nearest pixel, zeros outside, float32 sums truncated to
/// whole bytes. Returns a new, contiguous tensor.
Tensor changed(const Tensor& bytes, ImageOp op, double amount);

/// AutoAugment (Cubuk et al., CVPR 2019) as in torchvision 0.14: one of 25 published pairs of operations, each done
/// with its own probability.
enum class AutoAugmentPolicy { Cifar10, ImageNet, Svhn };

/// The policy called "cifar10", "imagenet" or "svhn"; absent for an empty name. Throws Error(Run) for any other.
std::optional<AutoAugmentPolicy> autoAugmentPolicy(const std::string& name);

struct PolicyStep {
    ImageOp op;
    double probability;
    int bin = 0;  ///< 0..9: strength in ten equal steps; unused by AutoContrast, Equalize and Invert
};
using SubPolicy = std::array<PolicyStep, 2>;
/// Sub-policies in the published order.
std::span<const SubPolicy, 25> subPolicies(AutoAugmentPolicy policy);

/// The amount that changed() gets for a strength, for images of height x width.
double amountOf(ImageOp op, int bin, bool negative, std::int64_t height, std::int64_t width);

/// The random part, five draws in this order: the pair of 25, a number in 0..1 for each operation (done when it is not
/// above the probability), a coin for each operation (0: a negative amount, if the operation has one).
struct AutoAugmentDraw {
    explicit AutoAugmentDraw(Random& random);
    std::size_t pair;
    std::array<double, 2> number;
    std::array<bool, 2> negative;
};

/// Applies one draw to all images [B, 3, H, W] (bytes). May return `bytes` itself.
Tensor autoAugmented(const Tensor& bytes, AutoAugmentPolicy policy, const AutoAugmentDraw& draw);

/// Random variation of training images.
struct Augment {
    enum Kind { None, CropFlip };
    enum Scope { Batch, Image };  ///< one draw for the whole batch, as in the official code, or one for each image

    Augment(Kind chosen = CropFlip) : kind(chosen) {}
    Kind kind;
    std::optional<AutoAugmentPolicy> policy{};  ///< AutoAugment after crop and flip
    Scope scope = Batch;
    int policy_rounds = 1;  ///< applications of AutoAugment, each with its own draws
};

/// The augmentation that the options ask for; `policy` is the name of the data set's AutoAugment policy, or empty.
/// "auto": crop, flip and the data set's policy, if it has one (MISA, methods/_trainer.py: every script, and the code's
/// own default, asks for AutoAugment, and data sets get it by their names). "autoaugment": the same, with ImageNet's
/// policy for data sets without one.
Augment augmentOf(const TrainingOptions& training, const std::string& policy);

/// Zero-pads and crops at a random offset, mirrors by a coin, then applies AutoAugment (MISA, methods/_trainer.py,
/// train_transform). Bytes [B, 3, S, S] on any device -> bytes of the same shape. Draws, of one image or of
/// all: top, left, mirror, then AutoAugmentDraw, one a round. The padding is 4 pixels of 224, in proportion for smaller
/// images, but at least one pixel.
Tensor augmented(const Tensor& bytes, const Augment& augment, Random random);

/// Number of the variant that augmented() makes of each of `count` images of this side with the same draws, below
/// 2 (2 padding + 1)^2; 0 is the image as it is. Empty with AutoAugment, which has too many.
std::vector<std::int64_t> variants(std::int64_t count, std::int64_t side, const Augment& augment, Random random);

}  // namespace palimpsest
