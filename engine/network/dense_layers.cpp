// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/dense_layers.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <memory>

#include "engine/kernels/dense.h"
#include "engine/support/share_work.h"

namespace palimpsest {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

bool onProcessor(const Tensor& tensor) {
    return tensor.device().is_cpu() && tensor.scalar_type() == at::kFloat;
}

bool wantsGradient(const Tensor& tensor) {
    return tensor.defined() && tensor.requires_grad();
}

void requireNoSecondDerivative() {
    TORCH_CHECK(!c10::GradMode::is_enabled(), "A dense layer has no second derivative.");
}

/// Calls work(first, last) for parts of [0, count) on as many threads as LibTorch has: several parts a thread, so that
/// a slow one leaves some to the others, each a multiple of `step` long.
template <class Work>
void inParts(std::int64_t count, std::int64_t step, Work work) {
    const std::int64_t wanted = std::max<std::int64_t>(1, count / (4 * at::get_num_threads()));
    const std::int64_t size = (wanted + step - 1) / step * step, parts = (count + size - 1) / size;
    shareWork(static_cast<std::size_t>(parts), at::get_num_threads(), [&](std::size_t part) {
        const auto first = static_cast<std::int64_t>(part) * size;
        work(first, std::min(count, first + size));
    });
}

/// x [rows, depth] times the factor that `matrix` gives (see PackedFactor), plus bias, into y [rows, columns].
void multiply(const Tensor& x, const Tensor& matrix, bool turned, const float* bias, Tensor& y) {
    const std::int64_t rows = x.size(0), depth = x.size(1), columns = y.size(1);
    PackedFactor factor(depth, columns);
    inParts(factor.panels(), 1,
            [&](std::int64_t first, std::int64_t last) { factor.pack(matrix.data_ptr<float>(), turned, first, last); });
    constexpr std::int64_t kTile = 48;  // a multiple of the rows of a tile for all instruction sets
    inParts(rows, kTile, [&](std::int64_t first, std::int64_t last) {
        factor.multiply(x.data_ptr<float>() + first * depth, last - first, bias, y.data_ptr<float>() + first * columns);
    });
}

Tensor linearForward(const Tensor& rows, const Tensor& weight, const Tensor& bias) {
    Tensor y = at::empty({rows.size(0), weight.size(0)}, rows.options());
    multiply(rows, weight, /*turned=*/true, bias.data_ptr<float>(), y);
    return y;
}

struct LinearNode : torch::autograd::Function<LinearNode> {
    static Variable forward(AutogradContext* context, const Tensor& rows, const Tensor& weight, const Tensor& bias) {
        // Each factor is kept for the gradient of the other.
        context->save_for_backward({wantsGradient(weight) ? rows : Tensor(), wantsGradient(rows) ? weight : Tensor()});
        context->saved_data["rows"] = wantsGradient(rows);
        context->saved_data["weight"] = wantsGradient(weight);
        context->saved_data["bias"] = wantsGradient(bias);
        return linearForward(rows, weight, bias);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        requireNoSecondDerivative();
        const variable_list saved = context->get_saved_variables();
        const Tensor &rows = saved[0], &weight = saved[1];
        const Tensor given = gradients[0].contiguous();
        variable_list result(3);
        if (context->saved_data["rows"].toBool()) {
            result[0] = at::empty({given.size(0), weight.size(1)}, given.options());
            multiply(given, weight, /*turned=*/false, nullptr, result[0]);
        }
        if (context->saved_data["weight"].toBool()) {
            const std::int64_t outputs = given.size(1), inputs = rows.size(1);
            result[1] = at::empty({outputs, inputs}, given.options());
            // Each part reads all of the inputs' rows, so there are few.
            const std::int64_t threads = at::get_num_threads();
            const std::int64_t size = (outputs + 2 * threads - 1) / (2 * threads), parts = (outputs + size - 1) / size;
            shareWork(static_cast<std::size_t>(parts), at::get_num_threads(), [&](std::size_t part) {
                const auto first = static_cast<std::int64_t>(part) * size;
                weightGradient(given.data_ptr<float>(), rows.data_ptr<float>(), rows.size(0), outputs, inputs, first,
                               std::min(outputs, first + size), result[1].data_ptr<float>());
            });
        }
        if (context->saved_data["bias"].toBool()) result[2] = given.sum(0);
        return result;
    }
};

std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

/// Place of an image's rows in a tensor [images, rows, numbers]; null for an undefined one.
float* placeOf(const Tensor& tensor, std::int64_t image) {
    return tensor.defined() ? tensor.data_ptr<float>() + image * tensor.size(1) * tensor.size(2) : nullptr;
}

/// Operands of an attention, contiguous but for the images of `extra`.
struct Operands {
    Tensor queries, keys_values, extra;  // queries, extra: undefined where there are none
    std::int64_t images = 0, width = 0;
    Attention shape;  // without places

    static Operands of(const Tensor& queries, const Tensor& keysValues, const Tensor& extra) {
        Operands all{queries, keysValues, extra, keysValues.size(0), 0, {}};
        const bool together = !queries.defined();
        all.width = keysValues.size(2) / (together ? 3 : 2);
        all.shape.own = size(keysValues.size(1));
        all.shape.queries = together ? all.shape.own : size(queries.size(1));
        all.shape.others = extra.defined() ? size(extra.size(1)) : 0;
        all.shape.qRow = size(together ? keysValues.size(2) : all.width);
        all.shape.kvRow = size(keysValues.size(2));
        return all;
    }
    /// Floats before the keys in a row of keys_values.
    std::int64_t keysAt() const { return queries.defined() ? 0 : width; }
    Attention image(std::int64_t i) const {
        Attention input = shape;
        const float* own = placeOf(keys_values, i);
        input.q = queries.defined() ? placeOf(queries, i) : own;
        input.kv = own + keysAt();
        if (shape.others > 0) input.extra = extra.data_ptr<float>() + i * extra.stride(0);
        return input;
    }
};

/// Rows of each image one after the other; images may share them.
Tensor rowsInOrder(const Tensor& extra) {
    if (!extra.defined() || extra.numel() == 0) return {};
    const bool inOrder = extra.stride(2) == 1 && extra.stride(1) == extra.size(2);
    return inOrder ? extra : extra.contiguous();
}

/// The mixed values, and the probabilities of all images where there is a place for them.
Tensor attentionPass(const HeadSizes& sizes, const Operands& all, float* probabilities) {
    const auto scores = static_cast<std::int64_t>(all.shape.scores(sizes.heads));
    Tensor mixed =
        at::empty({all.images, static_cast<std::int64_t>(all.shape.queries), all.width}, all.keys_values.options());
    inParts(all.images, 1, [&](std::int64_t first, std::int64_t last) {
        const AttentionScratch scratch(sizes, all.shape);
        std::unique_ptr<float[]> passing;
        if (!probabilities) passing.reset(new float[size(scores)]);
        for (std::int64_t i = first; i < last; ++i)
            attentionForward(sizes, all.image(i), probabilities ? probabilities + i * scores : passing.get(),
                             placeOf(mixed, i), scratch);
    });
    return mixed;
}

HeadSizes sizesOf(const Operands& all, std::int64_t heads) {
    return HeadSizes::of(size(all.width), size(heads));
}

/// Absent queries and extra rows come as tensors without dimensions, since a node takes no undefined ones.
struct AttentionNode : torch::autograd::Function<AttentionNode> {
    static Variable forward(AutogradContext* context, const Tensor& queries, const Tensor& keysValues,
                            const Tensor& extra, std::int64_t heads) {
        const Operands all = Operands::of(present(queries), keysValues, present(extra));
        const HeadSizes sizes = sizesOf(all, heads);
        const Tensor probabilities =
            at::empty({all.images, static_cast<std::int64_t>(all.shape.scores(sizes.heads))}, keysValues.options());
        context->save_for_backward({queries, keysValues, extra, probabilities});
        context->saved_data["heads"] = heads;
        context->saved_data["own"] = wantsGradient(keysValues) || wantsGradient(queries);
        context->saved_data["extra"] = wantsGradient(extra);
        return attentionPass(sizes, all, probabilities.data_ptr<float>());
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        requireNoSecondDerivative();
        const variable_list saved = context->get_saved_variables();
        const Operands all = Operands::of(present(saved[0]), saved[1], present(saved[2]));
        const float* probabilities = saved[3].data_ptr<float>();
        const HeadSizes sizes = sizesOf(all, context->saved_data["heads"].toInt());
        const Tensor given = gradients[0].contiguous();
        const auto options = given.options();
        variable_list result(4);
        if (context->saved_data["own"].toBool()) {
            if (all.queries.defined()) result[0] = at::empty(all.queries.sizes(), options);
            result[1] = at::empty(all.keys_values.sizes(), options);
        }
        if (context->saved_data["extra"].toBool()) result[2] = at::empty(all.extra.sizes(), options);
        const auto scores = static_cast<std::int64_t>(all.shape.scores(sizes.heads));
        inParts(all.images, 1, [&](std::int64_t first, std::int64_t last) {
            const AttentionScratch scratch(sizes, all.shape);
            for (std::int64_t i = first; i < last; ++i) {
                float* own = placeOf(result[1], i);
                attentionBackward(sizes, all.image(i), probabilities + i * scores, placeOf(given, i),
                                  all.queries.defined() ? placeOf(result[0], i) : own,
                                  own ? own + all.keysAt() : nullptr, placeOf(result[2], i), scratch);
            }
        });
        return result;
    }

private:
    static Tensor present(const Tensor& operand) { return operand.dim() == 3 ? operand : Tensor(); }
};

/// Throws c10::Error for operands that do not fit each other.
void requireFit(const Operands& all, std::int64_t heads) {
    const auto fits = [&](const Tensor& tensor, std::int64_t numbers) {
        return !tensor.defined() ||
               (onProcessor(tensor) && tensor.dim() == 3 && tensor.size(0) == all.images && tensor.size(2) == numbers);
    };
    TORCH_CHECK(heads > 0 && all.width % heads == 0 && fits(all.queries, all.width) &&
                    fits(all.keys_values, (all.queries.defined() ? 2 : 3) * all.width) &&
                    fits(all.extra, 2 * all.width),
                "Queries, keys and values of an attention do not fit each other.");
}

}  // namespace

bool suitsDenseLinear(const Tensor& x, const Tensor& weight) {
    return onProcessor(x) && onProcessor(weight) && weight.is_contiguous() && x.numel() > 0 &&
           fillsVectors(weight.size(0)) && fillsVectors(weight.size(1));
}

Tensor denseLinear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const Tensor rows = x.reshape({-1, weight.size(1)}).contiguous();
    const bool learns = wantsGradient(rows) || wantsGradient(weight) || wantsGradient(bias);
    const Tensor y = c10::GradMode::is_enabled() && learns ? LinearNode::apply(rows, weight, bias)
                                                           : linearForward(rows, weight, bias);
    std::vector<std::int64_t> sizes = x.sizes().vec();
    sizes.back() = weight.size(0);
    return y.reshape(sizes);
}

Tensor denseAttention(const Tensor& queries, const Tensor& keysValues, const Tensor& extra, std::int64_t heads) {
    TORCH_CHECK(keysValues.dim() == 3, "Keys and values of an attention do not fit.");
    const Tensor asking = queries.defined() ? queries.contiguous() : queries, own = keysValues.contiguous(),
                 others = rowsInOrder(extra);
    const Operands all = Operands::of(asking, own, others);
    requireFit(all, heads);
    if (c10::GradMode::is_enabled() && (wantsGradient(asking) || wantsGradient(own) || wantsGradient(others))) {
        const auto given = [&](const Tensor& operand) {
            return operand.defined() ? operand : at::empty({0}, own.options());
        };
        return AttentionNode::apply(given(asking), own, given(others), heads);
    }
    return attentionPass(sizesOf(all, heads), all, nullptr);
}

}  // namespace palimpsest
