// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/method/update.h"
#include "engine/network/device_graph.h"

namespace palimpsest {

/// Updates that are recorded on a GPU and replayed. An update of one kind (shapes, form of the mask, numbers that the
/// method and its optimiser depend on) is carried out a few times as usual, so that whatever is made at first use is
/// there, then recorded, and from then on replayed. Others in between, such as a short last batch, are carried out as
/// usual. When a new kind comes to stay, it is recorded in place of the old one.
class RecordedUpdate {
public:
    using MakeGraph = std::function<std::unique_ptr<DeviceGraph>()>;
    using Learn = std::function<ForwardResult(const UpdateInput&)>;
    /// `make` may return null: then nothing is ever recorded.
    explicit RecordedUpdate(MakeGraph make) : make_(std::move(make)) {}

    /// Times that an update of one kind is carried out before it is recorded.
    static constexpr int kBefore = 3;

    /// One update by `learn`, or a replay of it. `state`: the numbers besides tensors that its launches depend on. The
    /// input has neither mixed images nor past batches. Of the result only loss, accuracy, selected prompts and
    /// pushes are there, and after a replay they hold until the next update.
    ForwardResult run(const UpdateInput& input, const std::vector<double>& state, const Learn& learn);

private:
    struct Kind {
        std::vector<std::int64_t> shape;  // of the images, and the mask's length
        MaskForm form = MaskForm::Additive;
        std::vector<double> state;
        bool operator==(const Kind&) const = default;
    };
    /// False where it cannot be recorded; nothing will be from then on.
    bool record(const UpdateInput& input, const Learn& learn);

    MakeGraph make_;
    bool given_up_ = false;
    Kind recent_;  // of the last updates that were carried out as usual
    int recent_times_ = 0;
    std::unique_ptr<DeviceGraph> graph_;
    Kind kind_;             // of what is recorded
    UpdateInput input_;     // what it reads
    ForwardResult result_;  // what it writes
};

}  // namespace palimpsest
