// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/golden_compare.h"

#include <algorithm>
#include <cmath>

#include "engine/method/method.h"
#include "engine/support/error.h"
#include "engine/support/json.h"

namespace palimpsest {

nlohmann::json metadataJson(const TensorFile& file, const std::string& key) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end())
        throw inputError("The golden file " + file.origin + " lacks \"" + key + "\".", "Copy it again.");
    auto value = parsedJson<nlohmann::json>(found->second);
    if (value.is_discarded())
        throw inputError("The golden file " + file.origin + " has a malformed \"" + key + "\".", "Copy it again.");
    return value;
}

double tolerance(const nlohmann::json& sensitivity, double floor) {
    return sensitivity.is_number() ? std::max(floor, 10 * sensitivity.get<double>()) : floor;
}

double parameterTolerance(const nlohmann::json& sensitivity, const std::string& name, double floor) {
    const auto all = sensitivity.value("final_param_max_abs_fp32_vs_fp64", nlohmann::json::object());
    return tolerance(all.contains(name) ? all.at(name) : nlohmann::json(), floor);
}

std::vector<std::int32_t> labelsAt(const Tensor& labels, const std::vector<std::int64_t>& rows) {
    std::vector<std::int32_t> result;
    for (const std::int64_t r : rows) result.push_back(static_cast<std::int32_t>(labels[r].item<std::int64_t>()));
    return result;
}

std::string officialName(const TensorFile& golden, const std::string& prefix, const std::string& name) {
    const std::string ours = "fc.";
    const auto place = name.find(ours);
    const bool head = place == 0 || (place != std::string::npos && name[place - 1] == '.');
    if (!head) return name;
    const std::string theirs = name.substr(0, place) + "head." + name.substr(place + ours.size());
    return golden.find(prefix + theirs) ? theirs : name;
}

void compareFinalParameters(CaseCheck& check, const TensorFile& golden, const std::vector<NamedTensor>& trainable,
                            double floor) {
    const auto sensitivity = metadataJson(golden, "sensitivity");
    std::vector<std::string> names;
    if (golden.metadata.count("final_l2_names"))
        names = metadataJson(golden, "final_l2_names").get<std::vector<std::string>>();
    for (const auto& [known, tensor] : trainable) {
        const std::string name = officialName(golden, "final.", known);
        const double bound = parameterTolerance(sensitivity, name, floor);
        if (const Tensor* expected = golden.find("final." + name))
            nearTensor(check, "final " + name, tensor, *expected, bound);
        if (const Tensor* norms = golden.find("final_row_l2." + name))
            nearTensor(check, "final row norms of " + name, tensor.detach().flatten(1).norm(2, 1), *norms,
                       bound * std::sqrt(static_cast<double>(tensor[0].numel())));
        if (const Tensor* rows = golden.find("final_rows_idx." + name))
            nearTensor(check, "final rows of " + name, tensor.detach().to(at::kCPU).index_select(0, *rows),
                       golden.at("final_rows." + name), bound);
        if (const auto found = std::find(names.begin(), names.end(), name); found != names.end())
            check.near("final norm of " + name, tensor.detach().norm().item<double>(),
                       golden.at("final_l2")[found - names.begin()].item<double>(),
                       bound * std::sqrt(static_cast<double>(tensor.numel())));
    }
}

void nearTensor(CaseCheck& check, const std::string& what, const Tensor& got, const Tensor& expected, double absolute,
                double relative) {
    const Tensor a = got.detach().to(at::kCPU, at::kDouble).reshape(-1).contiguous();
    const Tensor b = expected.to(at::kDouble).reshape(-1).contiguous();
    if (a.numel() != b.numel()) {
        check.fail(what + " has " + std::to_string(a.numel()) + " entries instead of " + std::to_string(b.numel()));
        return;
    }
    for (std::int64_t i = 0; i < a.numel(); ++i) {
        const double expectedValue = b.data_ptr<double>()[i];
        check.near(what, a.data_ptr<double>()[i], expectedValue, absolute + relative * std::abs(expectedValue));
    }
}

void sameIntegers(CaseCheck& check, const std::string& what, const std::vector<std::int64_t>& got,
                  const Tensor& expected) {
    const std::vector<std::int64_t> wanted = indexVector(expected.reshape(-1));
    check.same(what + " count", static_cast<std::int64_t>(got.size()), static_cast<std::int64_t>(wanted.size()));
    for (std::size_t i = 0; i < std::min(got.size(), wanted.size()); ++i)
        check.same(what + "[" + std::to_string(i) + "]", got[i], wanted[i]);
}

}  // namespace palimpsest
