// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cutmix.h"

#include <cmath>
#include <numeric>

#include "engine/network/device_copies.h"

namespace palimpsest {
namespace {

struct Stretch {
    std::int64_t begin, end;
};

/// An interval of `share` of the length around a random centre, clipped at the ends.
Stretch stretch(std::int64_t length, double share, Random& random) {
    const auto half = static_cast<std::int64_t>(static_cast<double>(length) * share) / 2;
    const auto centre = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(length)));
    return {std::max<std::int64_t>(0, centre - half), std::min(length, centre + half)};
}

Tensor partners(const Tensor& images, Random& random) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(images.size(0)));
    std::iota(order.begin(), order.end(), std::int64_t{0});
    random.shuffle(order);
    return indexOn(order, images.device());
}

Tensor boxOf(const Tensor& batch, const CutBox& box) {
    return batch.slice(2, box.top, box.bottom).slice(3, box.left, box.right);
}

double ownShare(const CutBox& box, std::int64_t height, std::int64_t width) {
    return 1 - static_cast<double>(box.area()) / static_cast<double>(height * width);
}

}  // namespace

CutBox cutBox(std::int64_t height, std::int64_t width, double lambda, Random& random) {
    const double side = std::sqrt(1 - lambda);
    const Stretch columns = stretch(width, side, random);
    const Stretch rows = stretch(height, side, random);
    return {rows.begin, rows.end, columns.begin, columns.end};
}

CutMix cutMixed(const Tensor& images, Random& random) {
    const std::int64_t height = images.size(2), width = images.size(3);
    // Beta(1, 1) is uniform.
    const double lambda = random.uniform();
    const Tensor permutation = partners(images, random);
    const CutBox box = cutBox(height, width, lambda, random);
    CutMix mix{images.clone(), permutation, ownShare(box, height, width)};
    boxOf(mix.images, box).copy_(boxOf(images, box).index_select(0, permutation));
    return mix;
}

CutMix cutMixedEach(const Tensor& images, Random& random) {
    const std::int64_t height = images.size(2), width = images.size(3);
    CutMix mix{images.clone(), partners(images, random)};
    const Tensor others = images.index_select(0, mix.permutation);
    std::vector<float> shares;
    for (std::int64_t i = 0; i < images.size(0); ++i) {
        const double lambda = random.uniform();
        const CutBox box = cutBox(height, width, lambda, random);
        boxOf(mix.images.narrow(0, i, 1), box).copy_(boxOf(others.narrow(0, i, 1), box));
        shares.push_back(static_cast<float>(ownShare(box, height, width)));
    }
    mix.shares = onDevice(at::tensor(shares, at::kFloat), images.device());
    return mix;
}

}  // namespace palimpsest
