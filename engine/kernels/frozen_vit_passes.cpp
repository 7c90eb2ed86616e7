// SPDX-License-Identifier: GPL-3.0-or-later
// Packs the weights, shares the images out to threads and keeps the buffers; frozen_vit.cpp computes.
#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "engine/kernels/frozen_vit_network.h"
#include "engine/support/share_work.h"

namespace palimpsest {
namespace {

/// Rows that a group of images brings to a product, where the batch has enough: with fewer, reading the weights would
/// take longer than multiplying them. Tiles multiply faster.
constexpr std::size_t kGroupRows = 256, kGroupRowsOfTiles = 640;

/// B[k][n] for a product: `at(k, n)`.
template <class At>
PackedMatrix packed(std::size_t depth, std::size_t columns, bool bfloat16, At at) {
    PackedMatrix matrix;
    matrix.depth = depth;
    matrix.columns = padded(columns);
    if (bfloat16) {
        matrix.tiles = TileFactor(depth, columns, at);
        return matrix;
    }
    const std::size_t width = FrozenKernels::tileWidth(), panels = (matrix.columns + width - 1) / width;
    matrix.data = AlignedFloats(panels * width * depth);
    float* out = matrix.data.get();
    for (std::size_t p = 0; p < panels; ++p)
        for (std::size_t k = 0; k < depth; ++k, out += width)
            for (std::size_t j = 0; j < width && p * width + j < columns; ++j) out[j] = at(k, p * width + j);
    return matrix;
}

/// x -> (scale x + shift) W^T + bias of the rows [first, first + outputs) of W; without a norm x W^T + bias.
PackedMatrix packedLinear(const LinearWeights& layer, std::size_t first, std::size_t outputs, std::size_t inputs,
                          const NormWeights* norm, bool bfloat16) {
    const float* weight = layer.weight + first * inputs;
    PackedMatrix matrix = packed(inputs, outputs, bfloat16, [&](std::size_t k, std::size_t n) {
        return weight[n * inputs + k] * (norm ? norm->weight[k] : 1.0f);
    });
    matrix.bias = AlignedFloats(matrix.columns);
    for (std::size_t n = 0; n < outputs; ++n) {
        double sum = layer.bias ? layer.bias[first + n] : 0;
        for (std::size_t k = 0; norm && k < inputs; ++k)
            sum += static_cast<double>(weight[n * inputs + k]) * norm->bias[k];
        matrix.bias.get()[n] = static_cast<float>(sum);
    }
    return matrix;
}

/// The way back of packedLinear(): the outputs' gradient -> that of the inputs.
PackedMatrix packedTurned(const LinearWeights& layer, std::size_t first, std::size_t outputs, std::size_t inputs,
                          const NormWeights* norm, bool bfloat16) {
    const float* weight = layer.weight + first * inputs;
    return packed(outputs, inputs, bfloat16, [&](std::size_t k, std::size_t n) {
        return weight[k * inputs + n] * (norm ? norm->weight[n] : 1.0f);
    });
}

NetworkSizes sizesOf(const FrozenVitShape& shape) {
    NetworkSizes n{};
    static_cast<HeadSizes&>(n) =
        HeadSizes::of(static_cast<std::size_t>(shape.width), static_cast<std::size_t>(shape.heads));
    n.imageSize = static_cast<std::size_t>(shape.image_size);
    n.patch = static_cast<std::size_t>(shape.patch_size);
    n.channels = static_cast<std::size_t>(shape.channels);
    n.mapSide = n.imageSize;
    n.mapChannels = n.channels;
    for (std::size_t i = 0; i < shape.stem.size(); ++i) {
        const auto outputs = static_cast<std::size_t>(shape.stem[i]);
        const std::size_t step = i > 0 && outputs > n.mapChannels ? 2 : 1;
        n.stem.push_back({n.mapSide, n.mapChannels, outputs, step, outputs == n.mapChannels});
        n.mapSide = n.stem.back().outSide();
        n.mapChannels = outputs;
    }
    n.tokens = (n.mapSide / n.patch) * (n.mapSide / n.patch) + 1;
    n.hidden = static_cast<std::size_t>(shape.hidden);
    n.quickGelu = shape.quick_gelu;
    n.bfloat16 = shape.bfloat16;
    n.epsilon = static_cast<float>(shape.norm_epsilon);
    n.row = padded(n.width);
    n.patchRow = padded(n.mapChannels * n.patch * n.patch);
    n.qkvRow = padded(3 * n.width);
    n.kvRow = padded(2 * n.width);
    n.hiddenRow = padded(n.hidden);
    return n;
}

/// A matrix [outputs, channels * places] as the vector code's rows want it, which have a place's channels together.
PackedMatrix packedPlaces(const LinearWeights& layer, std::size_t outputs, std::size_t channels, std::size_t places,
                          bool bfloat16) {
    const std::size_t depth = channels * places;
    PackedMatrix matrix = packed(depth, outputs, bfloat16, [&](std::size_t k, std::size_t n) {
        return layer.weight[n * depth + k % channels * places + k / channels];
    });
    matrix.bias = AlignedFloats(matrix.columns);
    for (std::size_t n = 0; layer.bias && n < outputs; ++n) matrix.bias.get()[n] = layer.bias[n];
    return matrix;
}

AlignedFloats copied(const float* data, std::size_t count) {
    AlignedFloats copy(count);
    std::copy_n(data, count, copy.get());
    return copy;
}

/// Lays buffers out one after the other; without memory it only counts.
class Layout {
public:
    explicit Layout(float* begin) : begin_(begin) {}
    float* floats(std::size_t count) {
        float* here = begin_ ? begin_ + used_ : nullptr;
        used_ += padded(count);
        return here;
    }
    std::size_t used() const { return used_; }

private:
    float* begin_;
    std::size_t used_ = 0;
};

std::size_t extrasOf(std::span<const FrozenVit::Extra> extras, std::size_t block) {
    return extras.empty() ? 0 : static_cast<std::size_t>(extras[block].count);
}

/// Values that backward() needs, of `count` images.
void layOutTrace(const NetworkSizes& n, std::size_t blocks, std::size_t count, std::span<const FrozenVit::Extra> extras,
                 Layout& layout, GroupBuffers& b) {
    const std::size_t rows = count * n.tokens;
    b.blocks.resize(blocks);
    for (std::size_t i = 0; i < blocks; ++i) {
        const bool last = i + 1 == blocks;
        const std::size_t outRows = last ? count : rows;
        BlockTrace& t = b.blocks[i];
        t.hat1 = layout.floats(rows * n.row);
        t.inverse1 = layout.floats(rows);
        t.qkv = layout.floats(rows * (last ? n.kvRow : n.qkvRow));
        t.q = last ? layout.floats(count * n.row) : nullptr;
        t.probabilities = layout.floats(outRows * n.heads * padded(n.tokens + extrasOf(extras, i)));
        t.hat2 = layout.floats(outRows * n.row);
        t.inverse2 = layout.floats(outRows);
        t.slope = layout.floats(outRows * n.hiddenRow);
    }
    b.lastHat = layout.floats(count * n.row);
    b.lastInverse = layout.floats(count);
}

/// The same for a pass that is not gone back: all blocks use the same place.
void layOutPassing(const NetworkSizes& n, std::size_t blocks, std::size_t count, std::size_t mostExtras, Layout& layout,
                   GroupBuffers& b) {
    const std::size_t rows = count * n.tokens;
    BlockTrace t{};
    t.hat1 = t.hat2 = layout.floats(rows * n.row);
    t.inverse1 = t.inverse2 = layout.floats(rows);
    t.qkv = layout.floats(rows * n.qkvRow);
    t.q = layout.floats(count * n.row);
    t.probabilities = layout.floats(std::max(n.tokens, count) * n.heads * padded(n.tokens + mostExtras));
    b.blocks.assign(blocks, t);
    b.lastHat = layout.floats(count * n.row);
    b.lastInverse = layout.floats(count);
}

/// Values that are needed only while a group is being computed.
void layOutScratch(const NetworkSizes& n, std::size_t count, std::size_t mostExtras, bool backward, Layout& layout,
                   GroupBuffers& b) {
    const std::size_t rows = count * n.tokens, keys = padded(n.tokens + mostExtras);
    b.x = layout.floats(rows * n.row);
    b.inverse = layout.floats(rows);
    b.mixed = layout.floats(rows * n.row);
    b.hidden = layout.floats(std::max(rows * n.hiddenRow, n.tokens * n.patchRow));
    b.cls = layout.floats(count * n.row);
    b.qkv = backward ? layout.floats(rows * n.qkvRow) : nullptr;
    b.q = backward ? layout.floats(count * n.row) : nullptr;
    std::size_t map = n.stem.empty() ? 0 : n.imageSize * n.imageSize * n.channels, neighbours = 0;
    for (const StemSizes& s : n.stem) {
        map = std::max(map, s.outSide() * s.outSide() * s.outputs);
        neighbours = std::max(neighbours, kStemRows * padded(9 * s.inputs));
    }
    b.map = layout.floats(map);
    b.nextMap = layout.floats(map);
    b.neighbours = layout.floats(neighbours);
    b.head.q = layout.floats(n.tokens * n.headRow);
    b.head.k = layout.floats(n.head * keys);
    b.head.v = layout.floats(keys * n.headRow);
    b.head.out = layout.floats(n.tokens * n.headRow);
    b.head.scores = backward ? layout.floats(n.tokens * keys) : nullptr;
}

/// Memory for at least `count` floats in `kept`. What it held before is lost if it grows.
float* grown(AlignedFloats& kept, std::size_t count) {
    if (kept.size() < count) {
        kept = {};
        kept = AlignedFloats(count);
    }
    return kept.get();
}

}  // namespace

class FrozenVit::Trace {
public:
    struct Group {
        AlignedFloats memory;
        GroupBuffers buffers;
    };
    std::vector<Group> groups;
    std::size_t batch = 0, group = 0;
};

struct FrozenVit::Network : FrozenNetwork {
    std::size_t groupSize(std::size_t batch, std::size_t threads) const {
        const std::size_t rows = sizes.bfloat16 ? kGroupRowsOfTiles : kGroupRows;
        const std::size_t enough = (rows + sizes.tokens - 1) / sizes.tokens;
        // Two groups a thread at least, so that a slow thread can leave some to the others.
        return std::clamp<std::size_t>(batch / (2 * threads), 1, enough);
    }
    void packBackward() const;

    /// Scratch of a thread, returned after use, so that there are never more than threads.
    AlignedFloats borrow() const {
        const std::lock_guard lock(mutex);
        if (scratch.empty()) return {};
        AlignedFloats one = std::move(scratch.back());
        scratch.pop_back();
        return one;
    }
    void giveBack(AlignedFloats one) const {
        const std::lock_guard lock(mutex);
        scratch.push_back(std::move(one));
    }

    std::vector<FrozenVitWeights::Block> block_weights;  // for packBackward()
    mutable std::mutex mutex;
    mutable std::vector<AlignedFloats> scratch;
    mutable std::unique_ptr<Trace> spare;
    mutable std::once_flag packed_backward;
};

namespace {

/// Calls work(group, scratch) for all groups, on several threads.
template <class Network, class Work>
void shareOut(const Network& network, std::size_t groups, std::size_t threads, Work work) {
    shareWork(groups, static_cast<int>(threads), [&](std::size_t group) {
        AlignedFloats scratch = network.borrow();
        work(group, scratch);
        network.giveBack(std::move(scratch));
    });
}

}  // namespace

FrozenVit::FrozenVit(const FrozenVitShape& shape, const FrozenVitWeights& weights) {
    auto network = std::make_shared<Network>();
    network->sizes = sizesOf(shape);
    const NetworkSizes& n = network->sizes;
    network->block_weights = weights.blocks;
    network->class_token = copied(weights.class_token, n.width);
    network->position = copied(weights.position, n.tokens * n.width);
    network->norms = AlignedFloats(4 * n.width);
    float* norms = network->norms.get();
    const auto keepNorm = [&](const NormWeights& norm) {
        const NormWeights kept{norms, norms + n.width};
        norms = std::copy_n(norm.weight, n.width, norms);
        norms = std::copy_n(norm.bias, n.width, norms);
        return kept;
    };
    network->norm = keepNorm(weights.norm);
    if (weights.pre_norm) network->pre_norm = keepNorm(*weights.pre_norm);
    for (std::size_t i = 0; i < n.stem.size(); ++i)
        network->stem.push_back(packedPlaces(weights.stem[i], n.stem[i].outputs, n.stem[i].inputs, 9, n.bfloat16));
    network->patch = n.stem.empty()
                         ? packedLinear(weights.patch, 0, n.width, n.channels * n.patch * n.patch, nullptr, n.bfloat16)
                         : packedPlaces(weights.patch, n.width, n.mapChannels, n.patch * n.patch, n.bfloat16);
    for (const FrozenVitWeights::Block& block : weights.blocks) {
        PackedBlock& to = network->blocks.emplace_back();
        if (network->blocks.size() < weights.blocks.size()) {
            to.qkv = packedLinear(block.qkv, 0, 3 * n.width, n.width, &block.norm1, n.bfloat16);
        } else {
            to.q = packedLinear(block.qkv, 0, n.width, n.width, &block.norm1, n.bfloat16);
            to.kv = packedLinear(block.qkv, n.width, 2 * n.width, n.width, &block.norm1, n.bfloat16);
        }
        to.proj = packedLinear(block.proj, 0, n.width, n.width, nullptr, n.bfloat16);
        to.fc1 = packedLinear(block.fc1, 0, n.hidden, n.width, &block.norm2, n.bfloat16);
        to.fc2 = packedLinear(block.fc2, 0, n.width, n.hidden, nullptr, n.bfloat16);
    }
    network_ = std::move(network);
}

void FrozenVit::Network::packBackward() const {
    std::call_once(packed_backward, [this] {
        const NetworkSizes& n = sizes;
        // Nobody reads these before they are complete.
        auto& to = const_cast<std::vector<PackedBlock>&>(blocks);
        for (std::size_t i = 0; i < to.size(); ++i) {
            const FrozenVitWeights::Block& block = block_weights[i];
            if (i + 1 < to.size()) {
                to[i].qkvTurned = packedTurned(block.qkv, 0, 3 * n.width, n.width, &block.norm1, n.bfloat16);
            } else {
                to[i].qTurned = packedTurned(block.qkv, 0, n.width, n.width, &block.norm1, n.bfloat16);
                to[i].kvTurned = packedTurned(block.qkv, n.width, 2 * n.width, n.width, &block.norm1, n.bfloat16);
            }
            to[i].projTurned = packedTurned(block.proj, 0, n.width, n.width, nullptr, n.bfloat16);
            to[i].fc1Turned = packedTurned(block.fc1, 0, n.hidden, n.width, &block.norm2, n.bfloat16);
            to[i].fc2Turned = packedTurned(block.fc2, 0, n.width, n.hidden, nullptr, n.bfloat16);
        }
    });
}

std::shared_ptr<FrozenVit::Trace> FrozenVit::makeTrace() const {
    network_->packBackward();
    std::unique_ptr<Trace> trace;
    {
        const std::lock_guard lock(network_->mutex);
        trace = std::move(network_->spare);
    }
    if (!trace) trace = std::make_unique<Trace>();
    return {trace.release(), [network = network_](Trace* released) {
                std::unique_ptr<Trace> owned(released);
                const std::lock_guard lock(network->mutex);
                if (!network->spare) network->spare = std::move(owned);
            }};
}

void FrozenVit::forward(const float* images, std::int64_t batch, std::span<const Extra> extras, float* features,
                        int threads, Trace* trace, float* tokens) const {
    const Network& net = *network_;
    const std::size_t total = static_cast<std::size_t>(batch), workers = static_cast<std::size_t>(std::max(threads, 1));
    const std::size_t size = net.groupSize(total, workers), groups = (total + size - 1) / size;
    std::size_t most = 0;
    for (std::size_t i = 0; i < extras.size(); ++i) most = std::max(most, extrasOf(extras, i));
    if (trace) {
        trace->batch = total;
        trace->group = size;
        trace->groups.resize(groups);
    }
    shareOut(net, groups, workers, [&](std::size_t g, AlignedFloats& scratch) {
        const std::size_t first = g * size, count = std::min(size, total - first);
        GroupBuffers local;
        GroupBuffers& b = trace ? trace->groups[g].buffers : local;
        if (trace) {
            Layout needed(nullptr);
            layOutTrace(net.sizes, net.blocks.size(), count, extras, needed, b);
            Layout layout(grown(trace->groups[g].memory, needed.used()));
            layOutTrace(net.sizes, net.blocks.size(), count, extras, layout, b);
        }
        const auto layOut = [&](Layout& layout) {
            layOutScratch(net.sizes, count, most, false, layout, b);
            if (!trace) layOutPassing(net.sizes, net.blocks.size(), count, most, layout, b);
        };
        Layout needed(nullptr);
        layOut(needed);
        Layout layout(grown(scratch, needed.used()));
        layOut(layout);
        FrozenKernels::forward(net, images, first, count, extras, features, tokens, b, trace != nullptr);
    });
}

void FrozenVit::backward(const float* featureGradient, std::span<const Extra> extras, std::span<float* const> gradients,
                         int threads, Trace& trace) const {
    const Network& net = *network_;
    std::size_t most = 0, lowest = extras.size();
    for (std::size_t i = extras.size(); i-- > 0;) {
        most = std::max(most, extrasOf(extras, i));
        if (gradients[i]) lowest = i;
    }
    if (lowest == extras.size()) return;
    shareOut(net, trace.groups.size(), static_cast<std::size_t>(std::max(threads, 1)),
             [&](std::size_t g, AlignedFloats& scratch) {
                 const std::size_t first = g * trace.group, count = std::min(trace.group, trace.batch - first);
                 GroupBuffers& b = trace.groups[g].buffers;
                 Layout needed(nullptr);
                 layOutScratch(net.sizes, count, most, true, needed, b);
                 Layout layout(grown(scratch, needed.used()));
                 layOutScratch(net.sizes, count, most, true, layout, b);
                 FrozenKernels::backward(net, featureGradient, first, count, extras, gradients, lowest, b);
             });
}

}  // namespace palimpsest
