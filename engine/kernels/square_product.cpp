// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/kernels/square_product.h"

#include <atomic>
#include <thread>
#include <vector>

#include "engine/kernels/frozen_vit_network.h"

namespace palimpsest {
namespace {

/// Numbers in -1..1 from the high bits of a linear congruence (Knuth's MMIX).
AlignedFloats someFloats(std::size_t count, std::uint64_t state) {
    AlignedFloats floats(count);
    for (std::size_t i = 0; i < count; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        floats.get()[i] = static_cast<float>(state >> 40) / static_cast<float>(1 << 23) - 1.0f;
    }
    return floats;
}

}  // namespace

struct SquareProduct::Packed {
    PackedMatrix matrix;
};

SquareProduct::SquareProduct(std::int64_t side)
    : side_(static_cast<std::size_t>(side)),
      left_(someFloats(side_ * side_, 1)),
      right_(someFloats(side_ * side_, 2)),
      product_(side_ * side_),
      packed_(std::make_unique<Packed>()) {
    packed_->matrix =
        packedMatrix(side_, side_, [&](std::size_t k, std::size_t n) { return right_.get()[k * side_ + n]; });
}

SquareProduct::~SquareProduct() = default;

void SquareProduct::run(int threads) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next.fetch_add(kGroupRows); i < side_; i = next.fetch_add(kGroupRows))
            FrozenKernels::product(std::min(kGroupRows, side_ - i), left_.get() + i * side_, packed_->matrix,
                                   product_.get() + i * side_);
    };
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work);
    work();
}

}  // namespace palimpsest
