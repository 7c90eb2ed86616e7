// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor.h"

namespace palimpsest {
namespace {

template <class Draw>
void fill(Tensor& tensor, Draw draw) {
    NoGradGuard guard;
    Tensor values = at::empty(tensor.sizes(), at::kFloat);
    float* data = values.data_ptr<float>();
    for (std::int64_t i = 0; i < values.numel(); ++i) data[i] = static_cast<float>(draw());
    tensor.copy_(values);
}

}  // namespace

void fillUniform(Tensor& tensor, Random& random, double low, double high) {
    fill(tensor, [&] { return random.uniform(low, high); });
}

void fillTruncatedNormal(Tensor& tensor, Random& random, double deviation) {
    fill(tensor, [&] {
        double value = random.normal();
        while (value < -2 || value > 2) value = random.normal();
        return value * deviation;
    });
}

}  // namespace palimpsest
