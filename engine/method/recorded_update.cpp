// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/recorded_update.h"

#include <exception>

namespace palimpsest {
namespace {

/// The values, without the way back that led to them: that would keep all of its memory.
ForwardResult valuesOf(const ForwardResult& result) {
    ForwardResult values;
    values.loss = result.loss.detach();
    values.accuracy = result.accuracy;
    values.selected = result.selected;
    values.pushed = result.pushed;
    return values;
}

}  // namespace

bool RecordedUpdate::record(const UpdateInput& input, const Learn& learn) {
    graph_.reset();
    std::unique_ptr<DeviceGraph> graph = make_();
    if (graph) {
        // Tensors of its own, since those of later updates lie elsewhere.
        input_ = {};
        input_.images = input.images.clone();
        input_.units = input.units.clone();
        input_.mask = input.mask.clone();
        input_.form = input.form;
        try {
            graph->record([this, learn] { result_ = valuesOf(learn(input_)); });
            graph_ = std::move(graph);
            kind_ = recent_;
            return true;
        } catch (const std::exception& error) {
            TORCH_WARN("An update cannot be recorded, so updates are launched one by one: ", error.what());
        }
    }
    given_up_ = true;
    return false;
}

ForwardResult RecordedUpdate::run(const UpdateInput& input, const std::vector<double>& state, const Learn& learn) {
    if (given_up_) return valuesOf(learn(input));
    Kind kind{input.images.sizes().vec(), input.form, state};
    kind.shape.push_back(input.mask.size(0));
    if (!graph_ || kind != kind_) {
        recent_times_ = kind == recent_ ? recent_times_ + 1 : 1;
        recent_ = std::move(kind);
        if (recent_times_ <= kBefore || !record(input, learn)) return valuesOf(learn(input));
    }
    recent_times_ = 0;
    input_.images.copy_(input.images);
    input_.units.copy_(input.units);
    input_.mask.copy_(input.mask);
    graph_->replay();
    return result_;
}

}  // namespace palimpsest
