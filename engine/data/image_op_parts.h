// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "engine/data/augment.h"

// Pieces of AutoAugment's operations that the processor and other devices share.

namespace palimpsest {

using ByteTable = std::array<std::uint8_t, 256>;

/// New value of each byte, for an operation that looks at nothing else; absent for any other.
std::optional<ByteTable> byteTable(ImageOp op, double amount);
/// Number of the input pixel, from 1, that each output pixel shows, or 0 outside: int32 [1, 1, H, W] in the processor's
/// memory, for an operation that moves pixels; undefined for any other.
Tensor sourcePixels(ImageOp op, double amount, std::int64_t height, std::int64_t width);
/// changed() by LibTorch's operators, on any device: the same bytes.
Tensor changedByOperators(const Tensor& bytes, ImageOp op, double amount);

}  // namespace palimpsest
