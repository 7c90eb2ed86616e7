// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/frozen_pass.h"

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>

#include "engine/kernels/frozen_vit.h"

namespace palimpsest {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

/// A block's keys and values within the flat tensor of all.
struct Place {
    std::int64_t images = 0, count = 0, begin = 0;  ///< images: B, or 1 where all share them
    bool learns = false;
};

/// One pass, from its forward to its backward half.
struct Pass : torch::CustomClassHolder {
    std::shared_ptr<const FrozenVit> network;
    std::shared_ptr<FrozenVit::Trace> trace;
    std::vector<Place> places;  // one a block
    std::int64_t width = 0;

    std::vector<FrozenVit::Extra> extras(const Tensor& flat) const {
        std::vector<FrozenVit::Extra> all(places.size());
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Place& place = places[i];
            if (place.count == 0) continue;
            all[i] = {flat.data_ptr<float>() + place.begin, place.count,
                      place.images == 1 ? 0 : place.count * 2 * width};
        }
        return all;
    }
};

void requireImages(const Tensor& images, const VitShape& shape) {
    TORCH_CHECK(images.sizes() == at::IntArrayRef({images.size(0), shape.channels, shape.image_size, shape.image_size}),
                "Images of shape ", sizesText(images.sizes()), " do not fit the network.");
}

/// Features [B, D]; `tokens` [B, depth, D] gets the class token after each block, unless it is null.
Tensor passForward(const Pass& pass, const Tensor& images, const Tensor& flat, Tensor* tokens = nullptr) {
    const Tensor input = images.detach().to(at::kFloat).contiguous();
    Tensor features = at::empty({images.size(0), pass.width}, input.options());
    pass.network->forward(input.data_ptr<float>(), input.size(0),
                          pass.places.empty() ? std::vector<FrozenVit::Extra>() : pass.extras(flat),
                          features.data_ptr<float>(), at::get_num_threads(), pass.trace.get(),
                          tokens ? tokens->data_ptr<float>() : nullptr);
    return features;
}

/// Autograd's node: differentiable in the flat tensor of all keys and values alone.
struct PassNode : torch::autograd::Function<PassNode> {
    static Variable forward(AutogradContext* context, const Tensor& images, const Tensor& flat,
                            const c10::intrusive_ptr<Pass>& pass) {
        context->save_for_backward({flat});
        context->saved_data["pass"] = c10::IValue::make_capsule(pass);
        return passForward(*pass, images, flat);
    }

    static variable_list backward(AutogradContext* context, variable_list gradients) {
        TORCH_CHECK(!c10::GradMode::is_enabled(), "A frozen pass has no second derivative.");
        const auto capsule = context->saved_data["pass"].toCapsule();
        const Pass& pass = *static_cast<const Pass*>(capsule.get());
        const Tensor flat = context->get_saved_variables()[0], given = gradients[0].contiguous();
        const std::int64_t batch = given.size(0);
        std::vector<Tensor> parts(pass.places.size());
        std::vector<float*> wanted(pass.places.size());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!pass.places[i].learns) continue;
            parts[i] = at::empty({batch, pass.places[i].count, 2 * pass.width}, given.options());
            wanted[i] = parts[i].data_ptr<float>();
        }
        pass.network->backward(given.data_ptr<float>(), pass.extras(flat), wanted, at::get_num_threads(), *pass.trace);
        std::vector<Tensor> all;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const Place& place = pass.places[i];
            if (parts[i].defined())
                all.push_back((place.images == 1 ? parts[i].sum(0) : parts[i]).reshape({-1}));
            else if (place.count > 0)
                all.push_back(at::zeros({place.images * place.count * 2 * pass.width}, given.options()));
        }
        return {Variable(), at::cat(all), Variable()};
    }
};

}  // namespace

Tensor frozenFeatures(const std::shared_ptr<const FrozenVit>& network, const Tensor& images,
                      std::span<const Tensor> extra, const VitShape& shape) {
    requireImages(images, shape);
    const std::int64_t batch = images.size(0);
    auto pass = c10::make_intrusive<Pass>();
    pass->network = network;
    pass->width = shape.width;
    std::vector<Tensor> rows;
    std::int64_t used = 0;
    if (!extra.empty()) pass->places.resize(static_cast<std::size_t>(shape.depth));
    for (std::size_t i = 0; i < std::min(extra.size(), pass->places.size()); ++i) {
        if (!extra[i].defined() || extra[i].numel() == 0) continue;
        TORCH_CHECK(extra[i].dim() == 3 && extra[i].size(2) == 2 * shape.width &&
                        (extra[i].size(0) == 1 || extra[i].size(0) == batch),
                    "Keys and values of shape ", sizesText(extra[i].sizes()), " do not fit the network.");
        // Rows that all images share may come as one or expanded.
        const bool shared = extra[i].size(0) == 1 || extra[i].stride(0) == 0;
        const Tensor some = shared ? extra[i].narrow(0, 0, 1) : extra[i];
        pass->places[i] = {some.size(0), some.size(1), used, some.requires_grad()};
        used += some.numel();
        rows.push_back(some.reshape({-1}));
    }
    if (rows.empty()) {
        pass->places.clear();
        return passForward(*pass, images, {});
    }
    const Tensor flat = at::cat(rows).to(at::kFloat);
    if (!c10::GradMode::is_enabled() || !flat.requires_grad()) return passForward(*pass, images, flat);
    pass->trace = network->makeTrace();
    return PassNode::apply(images, flat, pass);
}

Tensor frozenClassTokens(const std::shared_ptr<const FrozenVit>& network, const Tensor& images, const VitShape& shape) {
    requireImages(images, shape);
    auto pass = c10::make_intrusive<Pass>();
    pass->network = network;
    pass->width = shape.width;
    Tensor tokens = at::empty({images.size(0), shape.depth, shape.width}, at::kFloat);
    passForward(*pass, images, {}, &tokens);
    return tokens;
}

}  // namespace palimpsest
