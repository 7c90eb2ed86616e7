// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/update.h"

#include "engine/network/device_copies.h"

namespace palimpsest {

/// Loss, accuracy, selected prompts and parts of the loss, in this order.
class LateNumbers {
public:
    LateNumbers(const ForwardResult& forward, const std::vector<std::pair<std::string, Tensor>>& parts)
        : numbers_(tensorsOf(forward, parts)) {
        for (const auto& [name, value] : parts) names_.push_back(name);
    }

    void fill(UpdateResult& result) {
        const std::vector<Tensor>& numbers = numbers_.get();
        result.loss = numbers[0].item<double>();
        result.accuracy = numbers[1].item<double>();
        result.selected = indexVector(numbers[2]);
        for (std::size_t i = 0; i < names_.size(); ++i)
            result.parts.emplace_back(names_[i], numbers[3 + i].item<double>());
    }

private:
    static std::vector<Tensor> tensorsOf(const ForwardResult& forward,
                                         const std::vector<std::pair<std::string, Tensor>>& parts) {
        std::vector<Tensor> all{forward.loss, forward.accuracy, forward.selected};
        for (const auto& [name, value] : parts) all.push_back(value);
        return all;
    }

    HostCopy numbers_;
    std::vector<std::string> names_;
};

UpdateResult resultOf(const ForwardResult& forward, const std::vector<std::pair<std::string, Tensor>>& parts) {
    UpdateResult result;
    result.late = std::make_shared<LateNumbers>(forward, parts);
    if (forward.loss.is_cpu()) settle(result);
    return result;
}

void settle(UpdateResult& result) {
    if (const auto late = std::exchange(result.late, nullptr)) late->fill(result);
}

std::vector<std::int64_t> indexVector(const Tensor& index) {
    if (!index.defined()) return {};
    const Tensor host = index.to(at::kCPU).contiguous();
    return {host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + host.numel()};
}

}  // namespace palimpsest
