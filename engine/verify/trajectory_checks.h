// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"
#include "engine/verify/golden_compare.h"

namespace palimpsest {

/// Compares a method with the official code along a golden trajectory.
class TrajectoryChecks {
public:
    /// `noisy`: rounding affects everything too much but the losses, which are compared roughly. File and check must
    /// outlive this.
    TrajectoryChecks(const TensorFile& golden, CaseCheck& check, bool noisy);

    /// Compares one update, numbered from 0: loss and its parts, learning rate, accuracy, selected prompts.
    void update(std::int64_t number, const UpdateResult& result);
    /// Compares one update on the memory after a session: loss and learning rate. Updates beyond those in the file are
    /// ignored.
    void memoryUpdate(std::int64_t session, std::int64_t update, const UpdateResult& result);
    /// Compares the importances of the weights.
    void sessionEnd(std::int64_t session, const Method& method);
    /// Compares parameters, buffers, the logits of some of `images`, and the losses of remembered samples.
    void end(Method& method, const Tensor& images);

private:
    void part(const UpdateResult& result, std::int64_t number, const std::string& name, double expected, double bound);
    void buffers(const Method& method);
    void logits(Method& method, const Tensor& images);
    double lossBound() const;

    const TensorFile& golden_;
    CaseCheck& check_;
    nlohmann::json sensitivity_;
    bool noisy_;
};

}  // namespace palimpsest
