// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/golden_case.h"

#include "engine/method_options/head_method_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/support/error.h"
#include "engine/verify/golden_prompt_methods.h"

namespace palimpsest {
namespace {

bool startsWith(const std::string& text, const std::string& start) {
    return text.rfind(start, 0) == 0;
}
bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string withoutBackbone(const std::string& name) {
    return startsWith(name, "backbone.") ? name.substr(std::string("backbone.").size()) : name;
}

}  // namespace

std::optional<std::string> methodOfCase(const std::string& name) {
    // Cases of initial session adaptation.
    if (contains(name, "_isa_") || startsWith(name, "isa_")) return std::nullopt;
    if (startsWith(name, "dualprompt_") || startsWith(name, "misa_")) return "dualprompt";
    if (startsWith(name, "linear_probe") || startsWith(name, "linearprobe_")) return "linear-probe";
    if (startsWith(name, "finetune_")) return "finetune";
    if (startsWith(name, "er_")) return "er";
    if (startsWith(name, "erace_")) return "er-ace";
    if (startsWith(name, "derpp_")) return "derpp";
    if (startsWith(name, "lwf_")) return "lwf";
    if (startsWith(name, "ewcpp_")) return "ewcpp";
    if (startsWith(name, "clib_")) return "clib";
    if (startsWith(name, "rm_")) return "rainbow-memory";
    return promptMethodOfCase(name);
}

MaskKind maskOfCase(const std::string& name, const std::string& method, const std::vector<std::string>& flags) {
    const auto has = [&](const char* flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); };
    if (method == "l2p") return MaskKind::Batch;  // hard-coded (MISA, methods/L2P.py)
    if (method == "er" && has("--sessionmask")) return MaskKind::Session;
    if (method != "dualprompt") return MaskKind::Seen;
    if (contains(name, "_none_")) return MaskKind::None;
    if (!has("--nobatchmask")) return MaskKind::Batch;
    return has("--sessionmask") ? MaskKind::Session : MaskKind::Seen;
}

nlohmann::json metadataJson(const TensorFile& file, const std::string& key) {
    const auto found = file.metadata.find(key);
    if (found == file.metadata.end())
        throw inputError("The golden file " + file.origin + " lacks \"" + key + "\".", "Copy it again.");
    auto value = nlohmann::json::parse(found->second, nullptr, false);
    if (value.is_discarded())
        throw inputError("The golden file " + file.origin + " has a malformed \"" + key + "\".", "Copy it again.");
    return value;
}

std::unique_ptr<Method> makeGoldenMethod(const GoldenSetup& golden, std::int64_t& classes) {
    std::vector<NamedTensor> initial;
    std::map<std::string, std::string> metadata;
    for (const std::string& name : golden.init_files) {
        // A remark may follow: "shared/init_mvp.safetensors (all but g_prompts)".
        const TensorFile file = readSafetensors(golden.root / name.substr(0, name.find(" (")));
        initial.insert(initial.end(), file.tensors.begin(), file.tensors.end());
        metadata.insert(file.metadata.begin(), file.metadata.end());
    }
    // A later file overrides an earlier one: cases of more classes have their own head.
    const auto initialOf = [&](const std::string& name) -> const Tensor& {
        for (auto entry = initial.rbegin(); entry != initial.rend(); ++entry)
            if (withoutBackbone(entry->name) == withoutBackbone(name)) return entry->tensor;
        throw inputError("The golden files in " + golden.root.string() + " give no initial value of " + name + ".",
                         "Copy them again.");
    };

    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(inferShape(initial, metadata, golden.root.string()));
    setup.vit->load(initial, golden.root.string());
    setup.classes = classes = initialOf("fc.weight").size(0);
    setup.method.name = golden.method;
    setup.method.of<DualPromptOptions>().selection = golden.as_published ? "as-published" : "full-pool";
    setup.learnable_mask = golden.learnable_mask;
    if (golden.method == "dualprompt") {
        setup.method.of<PromptPoolOptions>().size = initialOf("e_prompt.prompts").size(0);
        setup.method.of<PromptOptions>().e_length = initialOf("e_prompt.prompts").size(1) / 3;
        setup.method.of<PromptOptions>().g_length = initialOf("g_prompt.prompts").size(1) / 2;
    }
    describePromptMethod(golden, initialOf, setup.method);
    setup.initial_session.prompts = "none";
    setup.method.of<EwcPlusPlusOptions>().gradients = "added-up";
    setup.method.of<RainbowMemoryOptions>().epochs = golden.memory_epochs;
    setup.memory.size = golden.memory_size;
    setup.memory.batch_size = golden.memory_batch;
    setup.batch_size = golden.batch_size;
    setup.exact_backbone = golden.trained;
    setup.exact_optimizer = golden.optimizer;
    auto method = makeMethod(setup);
    NoGradGuard guard;
    for (auto& [name, tensor] : method->trainable()) Tensor(tensor).copy_(initialOf(name));
    return method;
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
