// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/verify/golden_case.h"

#include <algorithm>
#include "engine/method_options/head_method_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/support/error.h"
#include "engine/verify/golden_compare.h"
#include "engine/verify/golden_place.h"

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

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::string withoutBackbone(const std::string& name) {
    constexpr std::string_view kPrefix = "backbone.";
    return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

/// Initial tensors of a golden case, from several files.
struct InitialTensors {
    std::vector<NamedTensor> tensors;
    std::map<std::string, std::string> metadata;
};

/// `files`: relative to `root`; a remark may follow a name: "shared/init_mvp.safetensors (all but g_prompts)".
InitialTensors readInitialTensors(const std::filesystem::path& root, const std::vector<std::string>& files) {
    InitialTensors initial;
    for (const std::string& name : files) {
        const TensorFile file = readSafetensors(root / name.substr(0, name.find(" (")));
        initial.tensors.insert(initial.tensors.end(), file.tensors.begin(), file.tensors.end());
        initial.metadata.insert(file.metadata.begin(), file.metadata.end());
    }
    return initial;
}

std::shared_ptr<Vit> makeVit(const InitialTensors& initial, const std::filesystem::path& root) {
    auto vit =
        std::make_shared<Vit>(inferShape(initial.tensors, initial.metadata, root.string()), GoldenPlace::device());
    vit->load(initial.tensors, root.string());
    return vit;
}

/// "l2p" or "mvp" for cases of these methods, else absent.
std::optional<std::string> promptMethodOfCase(const std::string& name) {
    for (const char* method : {"l2p", "mvp"})
        if (name == method || name.starts_with(std::string(method) + "_")) return method;
    return std::nullopt;
}

/// Fills in sizes of L2P and MVP, from the initial tensors, and MVP's switches and numbers, from the case's flags.
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

/// A pass of the adaptation in the form of a method.
class AdaptationPass : public FrozenBackboneMethod {
public:
    explicit AdaptationPass(GoldenAdapter made) : FrozenBackboneMethod(made.vit), adapter_(std::move(made.adapter)) {
        MethodSetup setup;
        setup.exact_optimizer = OptimizerSettings{};
        makeOptimizerFor(setup);
    }
    ForwardResult forward(const UpdateInput& input) override {
        return adapter_->forward({input.images, input.units, input.mask}, frozenFeatures(input.images));
    }
    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const Tensor units = at::zeros({images.size(0)}, at::kLong);
        return adapter_->forward({images, units, at::zeros({1})}, frozen).logits;
    }
    bool needsImages() const override { return true; }
    bool evaluatesSeenOnly() const override { return false; }
    std::vector<NamedTensor> trainable() const override { return adapter_->trainable(); }

private:
    std::unique_ptr<PromptAdapter> adapter_;
};

}  // namespace

bool isAdaptationCase(const std::string& name) {
    return name.starts_with("isa_") || contains(name, "_isa_");
}

std::optional<std::string> methodOfCase(const std::string& name) {
    if (isAdaptationCase(name)) return std::nullopt;
    constexpr std::pair<const char*, const char*> kMethods[] = {{"dualprompt_", "dualprompt"},
                                                                {"misa_", "dualprompt"},
                                                                {"linear_probe", "linear-probe"},
                                                                {"linearprobe_", "linear-probe"},
                                                                {"finetune_", "finetune"},
                                                                {"er_", "er"},
                                                                {"erace_", "er-ace"},
                                                                {"derpp_", "derpp"},
                                                                {"lwf_", "lwf"},
                                                                {"ewcpp_", "ewcpp"},
                                                                {"clib_", "clib"},
                                                                {"rm_", "rainbow-memory"}};
    for (const auto& [start, method] : kMethods)
        if (name.starts_with(start)) return method;
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

std::unique_ptr<Method> makeGoldenMethod(const GoldenSetup& golden, std::int64_t& classes) {
    const InitialTensors initial = readInitialTensors(golden.root, golden.init_files);
    // A later file overrides an earlier one: cases of more classes have their own head.
    const auto initialOf = [&](const std::string& name) -> const Tensor& {
        for (auto entry = initial.tensors.rbegin(); entry != initial.tensors.rend(); ++entry)
            if (withoutBackbone(entry->name) == withoutBackbone(name)) return entry->tensor;
        throw inputError("The golden files in " + golden.root.string() + " give no initial value of " + name + ".",
                         "Copy them again.");
    };

    MethodSetup setup;
    setup.vit = makeVit(initial, golden.root);
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

GoldenAdapter makeGoldenAdapter(const std::filesystem::path& root, const TensorFile& golden, AdapterSettings settings,
                                const std::string& prefix) {
    const InitialTensors initial =
        readInitialTensors(root, metadataJson(golden, "init_files").get<std::vector<std::string>>());
    TensorsByName values = byTimmName(initial.tensors);
    const auto valueOf = [&](const std::string& name) -> const Tensor& {
        const auto found = values.find(name.starts_with("backbone.") ? name.substr(9) : name);
        if (found != values.end()) return found->second;
        throw inputError("The golden files in " + root.string() + " give no initial value of " + name + ".",
                         "Copy them again.");
    };

    GoldenAdapter made;
    made.vit = makeVit(initial, root);
    PromptLayout layout;
    layout.pool_size = valueOf("e_prompt.prompts").size(0);
    layout.expert_length = valueOf("e_prompt.prompts").size(1) / static_cast<std::int64_t>(layout.expert_blocks.size());
    layout.general_length =
        valueOf("g_prompt.prompts").size(1) / static_cast<std::int64_t>(layout.general_blocks.size());
    settings.augment_general = golden.find(prefix + "proj_g_pt.fc1.weight") != nullptr;
    settings.augment_expert = golden.find(prefix + "proj_e_pt.fc1.weight") != nullptr;
    made.units = valueOf("fc.weight").size(0);
    made.adapter = std::make_unique<PromptAdapter>(*made.vit, layout, settings, made.units, 1);
    NoGradGuard guard;
    for (const auto& [name, tensor] : made.adapter->trainable()) {
        const Tensor& value = valueOf(name);
        if (value.sizes() != tensor.sizes())
            throw inputError("The golden files in " + root.string() + " give an initial value of " + name +
                                 " of a shape that does not fit the others.",
                             "Copy them again.");
        tensor.copy_(value);
    }
    return made;
}

std::unique_ptr<Method> makeGoldenAdaptation(const std::filesystem::path& root, const TensorFile& golden,
                                             std::int64_t& classes) {
    GoldenAdapter made = makeGoldenAdapter(root, golden, {}, "grad.");
    classes = made.units;
    return std::make_unique<AdaptationPass>(std::move(made));
}

Tensor countsBefore(const std::filesystem::path& file, const TensorFile& golden) {
    if (promptMethodOfCase(file.stem().string()) != "mvp") return {};
    const auto countsIn = [](const TensorFile& one) {
        const nlohmann::json config = metadataJson(one, "config");
        return config.value(kCountBefore, std::vector<double>{});
    };
    std::vector<double> counts = countsIn(golden);
    if (counts.empty()) {
        for (const auto& other : std::filesystem::directory_iterator(file.parent_path())) {
            if (other.path().filename().string().rfind("mvp_misa_", 0) != 0) continue;
            const std::vector<double> here = countsIn(readSafetensors(other.path()));
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
