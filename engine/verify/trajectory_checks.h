// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/method/method.h"
#include "engine/verify/golden_compare.h"

namespace palimpsest {

/// Compares what a method does along a golden trajectory with what the official code did.
class TrajectoryChecks {
public:
    /// `noisy`: rounding decides too much for anything but the losses, and these roughly. File and check must outlive
    /// this.
    TrajectoryChecks(const TensorFile& golden, CaseCheck& check, bool noisy);

    /// One update, from 0: loss and its parts, learning rate, accuracy, selected prompts.
    void update(std::int64_t number, const UpdateResult& result);
    /// One of those on the memory when a session has ended: loss and learning rate. More than the file has are ignored.
    void memoryUpdate(std::int64_t session, std::int64_t update, const UpdateResult& result);
    /// The importances of the weights.
    void sessionEnd(std::int64_t session, const Method& method);
    /// Parameters, buffers, the logits of some of `images`, and the losses of what is remembered.
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
