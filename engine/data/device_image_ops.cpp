// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/ATen.h>

#include "engine/data/image_op_parts.h"
#include "engine/network/device_copies.h"

// AutoAugment's operations where the images lie. Every product, sum and quotient is an operator of its own, so that
// none is fused with the next, and divisors are tensors, since a GPU multiplies by the inverse of a number: so each
// rounds as in image_ops.cpp.

namespace palimpsest {
namespace {

/// `tables` [B or 1, 3 or 1, 256] applied to bytes [B, 3, H, W].
Tensor mapped(const Tensor& bytes, const Tensor& tables) {
    const Tensor places = bytes.flatten(2).to(at::kLong);
    return tables.expand({bytes.size(0), bytes.size(1), 256}).gather(2, places).reshape(bytes.sizes());
}

Tensor moved(const Tensor& bytes, const Tensor& pixels) {
    const Tensor source = onDevice(pixels.flatten(), bytes.device());
    const Tensor shown = bytes.flatten(2).index_select(2, (source - 1).clamp_min(0)) * source.gt(0).to(at::kByte);
    return shown.reshape(bytes.sizes());
}

Tensor clampedBytes(const Tensor& values) {
    return values.clamp(0, 255).to(at::kByte);
}

/// factor * bytes, both in float32.
Tensor product(const Tensor& bytes, double factor) {
    return bytes.to(at::kFloat) * static_cast<float>(factor);
}

Tensor quotient(const Tensor& values, double divisor) {
    return values / at::full_like(values, divisor);
}

Tensor grey(const Tensor& bytes) {
    const auto part = [&](std::int64_t channel, double share) { return product(bytes.narrow(1, channel, 1), share); };
    return ((part(0, 0.2989) + part(1, 0.587)) + part(2, 0.114)).to(at::kByte);
}

Tensor blended(const Tensor& bytes, const Tensor& other, double factor) {
    return clampedBytes(product(bytes, factor) + product(other, 1.0 - factor));
}

Tensor contrasted(const Tensor& bytes, double factor) {
    const Tensor sum = grey(bytes).sum({1, 2, 3}, /*keepdim=*/true, at::kLong).to(at::kFloat);
    const Tensor mean = quotient(sum, static_cast<double>(bytes.size(2) * bytes.size(3)));
    const Tensor share = (mean.to(at::kDouble) * static_cast<double>(static_cast<float>(1.0 - factor))).to(at::kFloat);
    return clampedBytes(product(bytes, factor) + share);
}

Tensor sharpened(const Tensor& bytes, double factor) {
    const std::int64_t height = bytes.size(2), width = bytes.size(3);
    if (height <= 2 || width <= 2) return bytes.clone();
    const Tensor whole = bytes.to(at::kInt);
    const auto shifted = [&](std::int64_t y, std::int64_t x) {
        return whole.narrow(2, y, height - 2).narrow(3, x, width - 2);
    };
    Tensor sum = 4 * shifted(1, 1);
    for (std::int64_t y = 0; y < 3; ++y)
        for (std::int64_t x = 0; x < 3; ++x) sum = sum + shifted(y, x);
    Tensor smooth = bytes.clone();
    smooth.narrow(2, 1, height - 2).narrow(3, 1, width - 2).copy_(at::floor_divide(2 * sum + 13, 26));
    return blended(bytes, smooth, factor);
}

Tensor autoContrasted(const Tensor& bytes) {
    const Tensor least = bytes.amin({2, 3}, /*keepdim=*/true).to(at::kFloat);
    const Tensor range = bytes.amax({2, 3}, /*keepdim=*/true).to(at::kFloat) - least;
    const Tensor scale = at::full_like(range, 255) / range.clamp_min(1);
    return at::where(range.eq(0), bytes, clampedBytes((bytes.to(at::kFloat) - least) * scale));
}

Tensor histogramEqualised(const Tensor& bytes) {
    const Tensor sorted = std::get<0>(bytes.flatten(2).sort(2));
    const std::int64_t pixels = sorted.size(2);
    const Tensor each = at::arange(256, bytes.options().dtype(at::kInt))
                            .to(at::kByte)
                            .expand({bytes.size(0), bytes.size(1), 256})
                            .contiguous();
    const Tensor below = at::searchsorted(sorted, each);  // pixels darker than each byte
    const Tensor brightest = sorted.narrow(2, pixels - 1, 1).contiguous();
    const Tensor step = at::floor_divide(at::searchsorted(sorted, brightest), 255);
    const Tensor whole = step.clamp_min(1);
    Tensor levels = at::floor_divide(below + at::floor_divide(step, 2), whole).clamp_max(255);
    levels.select(2, 0).fill_(0);
    return mapped(bytes, at::where(step.eq(0), each, levels.to(at::kByte)));
}

}  // namespace

Tensor changedByOperators(const Tensor& bytes, ImageOp op, double amount) {
    if (const auto table = byteTable(op, amount))
        return mapped(bytes,
                      onDevice(at::tensor(at::ArrayRef<std::uint8_t>(*table)).reshape({1, 1, 256}), bytes.device()));
    if (const Tensor pixels = sourcePixels(op, amount, bytes.size(2), bytes.size(3)); pixels.defined())
        return moved(bytes, pixels);
    switch (op) {
        case ImageOp::Color:
            return blended(bytes, grey(bytes), 1.0 + amount);
        case ImageOp::Contrast:
            return contrasted(bytes, 1.0 + amount);
        case ImageOp::Sharpness:
            return sharpened(bytes, 1.0 + amount);
        case ImageOp::AutoContrast:
            return autoContrasted(bytes);
        default:
            return histogramEqualised(bytes);
    }
}

}  // namespace palimpsest
