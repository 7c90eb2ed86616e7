// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/golden_prompt_methods.h"

#include <algorithm>

#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kGeneralBlocks = 2, kExpertBlocks = 3;  // of MVP
constexpr const char* kCountBefore = "count_before";

/// Number after a flag, as in "--gamma 2.0", else the one of that name in the configuration, else `usual`.
double numberOf(const nlohmann::json& config, const std::vector<std::string>& flags, const std::string& name,
                double usual) {
    const auto flag = std::find(flags.begin(), flags.end(), "--" + name);
    if (flag != flags.end() && flag + 1 != flags.end()) return std::stod(*(flag + 1));
    return config.value(name, usual);
}

}  // namespace

std::optional<std::string> promptMethodOfCase(const std::string& name) {
    for (const char* method : {"l2p", "mvp"})
        if (name == method || name.rfind(std::string(method) + "_", 0) == 0) return method;
    return std::nullopt;
}

void describePromptMethod(const GoldenSetup& golden, const std::function<const Tensor&(const std::string&)>& initialOf,
                          MethodOptions& options) {
    if (golden.method == "l2p") {
        options.of<PromptPoolOptions>().size = initialOf("prompt.prompts").size(0);
        options.of<L2pOptions>().length = initialOf("prompt.prompts").size(1);
        options.of<L2pOptions>().key_weight = 0;  // as published (MISA, methods/L2P.py)
    }
    if (golden.method != "mvp") return;
    options.of<PromptPoolOptions>().size = initialOf("e_prompts").size(0);
    options.of<PromptOptions>().e_length = initialOf("e_prompts").size(1) / kExpertBlocks;
    options.of<PromptOptions>().g_length = initialOf("g_prompts").size(1) / kGeneralBlocks;
    const auto flags = golden.config.value("flags", std::vector<std::string>{});
    const auto has = [&](const char* flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); };
    MvpOptions& mvp = options.of<MvpOptions>();
    mvp.mask = has("--use_mask");
    mvp.contrastive = has("--use_contrastiv");
    mvp.scaling = has("--use_afs");
    mvp.reinforcement = has("--use_mcr") || has("--use_gsf") ? "batch" : "none";
    mvp.alpha = numberOf(golden.config, flags, "alpha", mvp.alpha);
    mvp.gamma = numberOf(golden.config, flags, "gamma", mvp.gamma);
    mvp.margin = numberOf(golden.config, flags, "margin", mvp.margin);
}

Tensor countsBefore(const std::filesystem::path& file, const TensorFile& golden) {
    if (promptMethodOfCase(file.stem().string()) != "mvp") return {};
    const auto said = [](const TensorFile& one) {
        const nlohmann::json config = metadataJson(one, "config");
        return config.value(kCountBefore, std::vector<double>{});
    };
    std::vector<double> counts = said(golden);
    if (counts.empty()) {
        for (const auto& other : std::filesystem::directory_iterator(file.parent_path())) {
            if (other.path().filename().string().rfind("mvp_misa_", 0) != 0) continue;
            const std::vector<double> here = said(readSafetensors(other.path()));
            if (!counts.empty() && !here.empty() && here != counts)
                throw inputError("The golden files mvp_misa_* beside " + file.string() + " say different \"" +
                                     kCountBefore + "\", so nobody can know which of them it means.",
                                 "Copy them again.");
            if (counts.empty()) counts = here;
        }
    }
    if (counts.empty())
        throw inputError("The golden file " + file.string() + " does not say \"" + kCountBefore + "\".",
                         "Copy it again, with the cases mvp_misa_*.");
    return at::tensor(counts, at::kDouble).to(at::kFloat);
}

void setCounts(Method& method, const Tensor& counts) {
    if (!counts.defined()) return;
    NoGradGuard guard;
    for (auto& [name, tensor] : method.keptTensors())
        if (name == "count") Tensor(tensor).copy_(counts);
}

}  // namespace palimpsest
