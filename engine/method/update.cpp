// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/update.h"

#include <memory>

#include "engine/network/device_copies.h"

namespace palimpsest {

UpdateResult resultOf(const ForwardResult& forward, const std::vector<std::pair<std::string, Tensor>>& parts) {
    std::vector<Tensor> sources{forward.loss, forward.accuracy, forward.selected};
    const std::vector<Tensor> pushed = forward.pushed.tensors();
    sources.insert(sources.end(), pushed.begin(), pushed.end());
    const std::size_t fixed = sources.size();
    std::vector<std::string> names;
    for (const auto& [name, value] : parts) {
        names.push_back(name);
        sources.push_back(value);
    }
    UpdateResult result;
    result.late = [copy = std::make_shared<HostCopy>(sources), names, fixed](UpdateResult& filled) {
        const std::vector<Tensor>& numbers = copy->get();
        filled.loss = numbers[0].item<double>();
        filled.accuracy = numbers[1].item<double>();
        filled.selected = indexVector(numbers[2]);
        filled.pushes = unitPushes({numbers[3], numbers[4], numbers[5], numbers[6], numbers[7]});
        for (std::size_t i = 0; i < names.size(); ++i)
            filled.parts.emplace_back(names[i], numbers[fixed + i].item<double>());
    };
    if (forward.loss.is_cpu()) settle(result);
    return result;
}

void settle(UpdateResult& result) {
    if (const auto late = std::exchange(result.late, nullptr)) late(result);
}

std::vector<std::int64_t> indexVector(const Tensor& index) {
    if (!index.defined()) return {};
    const Tensor host = index.to(at::kCPU).contiguous();
    return {host.data_ptr<std::int64_t>(), host.data_ptr<std::int64_t>() + host.numel()};
}

}  // namespace palimpsest
